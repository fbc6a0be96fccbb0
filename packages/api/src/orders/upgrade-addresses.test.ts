import type { JobPayload, JobResult } from '@vps/shared/jobs.contract'
import { fen } from '@vps/shared/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { sweep } from '../schedule/sweep.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addIpv6Pool } from '../testing/shop.js'

let sale: Sale
let id: string
beforeEach(async () => {
  sale = await openSale({ addresses: 3, servers: 4, yuan: 300 })
  await sale.app.db
    .updateTable('price_groups')
    .set({ ip_rate_fen: fen(1500), snapshots: 2, most_backups: 5, backup_rate_fen: fen(300) })
    .execute()
  id = await sale.buyActive()
})
afterEach(async () => {
  const verdicts = await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')
  await sale.app.close()
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
})

const [first, second, third] = ['10.9.0.2', '10.9.0.3', '10.9.0.4']
const size = { cpuCores: 2, memoryMb: 4096 }
const upgrade = (change: object) => sale.lin.post(`/orders/${id}/upgrade`, change)
const networkOf = (payload: JobPayload | undefined) => (payload?.kind === 'resize' ? payload.network : undefined)
const consoleOf = async () => (await sale.lin.get(`/server-management/${await sale.serverOf(id)}`)).body.data
/** As the agent that let them through, whose guest took `taken`. */
const done = (admitted: string[], taken: string[]): Partial<JobResult> => ({
  ok: true,
  power: 'on',
  size,
  admitted,
  inGuest: { taken, answered: taken },
})
const failed = (admitted: string[]): Partial<JobResult> => ({ ok: false, final: true, power: 'on', size, admitted })
const placed = async () => {
  const rows = await sale.app.db
    .selectFrom('addresses')
    .select('address')
    .where('placement_id', 'is not', null)
    .orderBy('address')
    .execute()
  return rows.map(({ address }) => address)
}
const action = async (more: object) =>
  sale.lin.post('/server-management/action', { serverId: await sale.serverOf(id), ...more })

describe('more addresses', () => {
  test('are paid for and taken at once, let through by the host, and the order’s once they are', async () => {
    const before = await sale.lin.balance()
    const { body } = await sale.lin.post(`/orders/${id}/upgrade-quote`, { ipCount: 3 })
    expect(body.data).toMatchObject({ available: true, spec: { ipCount: 3, cpuCores: 2 } })
    expect(body.data.periodAfter - body.data.periodBefore).toBeCloseTo(30, 5)
    expect(body.data.amount).toBeGreaterThan(29)
    expect((await upgrade({ ipCount: 3 })).status).toBe(200)
    expect(await sale.lin.balance()).toBeCloseTo(before - body.data.amount, 5)
    expect(await placed()).toEqual([first, second, third])
    expect((await consoleOf()).ipAddresses).toEqual([first])
    const job = (await sale.agent.claim())!
    expect(job.payload).toMatchObject({ kind: 'resize', cpuCores: 2, memoryMb: 4096, diskGb: 40 })
    expect(networkOf(job.payload)).toMatchObject({
      addresses: [first, second, third].map((address) => ({ address, prefix: 24 })),
      added: [second, third],
    })
    await sale.agent.finish(job, done([first, second, third], [second]))
    expect(await sale.order(id)).toMatchObject({ ipCount: 3, cpuCores: 2 })
    expect(await consoleOf()).toMatchObject({
      ipAddresses: [first, second, third],
      addedAddresses: [
        { address: second, cidr: `${second}/24`, inGuest: true },
        { address: third, cidr: `${third}/24`, inGuest: false },
      ],
    })
  })

  test('stand before IPv6, which stays one, and all are told with the prefix', async () => {
    await addIpv6Pool(sale.app, [sale.host.id], { prefixes: true })
    id = await sale.buyActive()
    await upgrade({ ipCount: 2 })
    const job = (await sale.agent.claim())!
    const six = '2001:db8:1:1::1'
    expect(networkOf(job.payload)).toMatchObject({ prefixes: ['2001:db8:1:1::/64'], added: [third] })
    await sale.agent.finish(job, done([second, six, third], [third]))
    expect((await consoleOf()).ipAddresses).toEqual([second, third, six])
    expect((await sale.agent.inventory()).networks.find(({ addresses }) => addresses.includes(third))).toMatchObject({
      addresses: [second, six, third],
    })
  })

  test('that are not there are 409 and cost nothing', async () => {
    const before = await sale.lin.balance()
    const { status, body } = await upgrade({ ipCount: 4 })
    expect([status, body.code, body.message]).toEqual([
      409,
      'NO_STOCK',
      '服务器所在宿主机没有足够的空闲 IP 地址，暂时无法增加',
    ])
    expect((await sale.lin.post(`/orders/${id}/upgrade-quote`, { ipCount: 4 })).body.data.available).toBe(false)
    expect([await sale.lin.balance(), await placed()]).toEqual([before, [first]])
  })

  test('are never fewer', async () => {
    id = await sale.buyActive({ ipCount: 2 })
    expect((await upgrade({ ipCount: 1 })).status).toBe(400)
  })

  test('of which one is left are one buyer’s; the other pays nothing', async () => {
    await sale.buyActive()
    const other = await sale.app.db.selectFrom('orders').select('id').where('id', '<>', id).executeTakeFirstOrThrow()
    const before = await sale.lin.balance()
    const replies = await Promise.all([
      upgrade({ ipCount: 2 }),
      sale.lin.post(`/orders/${other.id}/upgrade`, { ipCount: 2 }),
    ])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const charged = await sale.app.db.selectFrom('order_upgrades').select('charge_fen').execute()
    expect(charged).toHaveLength(1)
    expect(await sale.lin.balance()).toBeCloseTo(before - charged[0]!.charge_fen / 100, 5)
  })

  test('bought by one key twice are bought once', async () => {
    const once = { key: 'one-more-address' }
    const replies = [
      await sale.lin.post(`/orders/${id}/upgrade`, { ipCount: 2 }, once),
      await sale.lin.post(`/orders/${id}/upgrade`, { ipCount: 2 }, once),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies[0]!.body.data).toEqual(replies[1]!.body.data)
    expect(await placed()).toEqual([first, second])
  })
})

describe('more addresses that do not come', () => {
  let before: number
  beforeEach(async () => {
    before = await sale.lin.balance()
    await upgrade({ ipCount: 2 })
  })
  const upgrades = () => sale.app.db.selectFrom('order_upgrades').select(['status', 'machine_larger']).execute()

  test('as nothing began give charge and addresses back', async () => {
    await sale.admin.put(`/orders/${id}/status`, { status: 'SUSPENDED' })
    await sweep(sale.app.deps)
    expect([await sale.lin.balance(), await placed()]).toEqual([before, [first]])
    await sale.agent.serve({ power: 'off' })
  })

  test('as the host took them back give charge and addresses back, once', async () => {
    await sale.agent.serve(failed([first]))
    await Promise.all([sweep(sale.app.deps), sweep(sale.app.deps)])
    expect([await sale.lin.balance(), await placed()]).toEqual([before, [first]])
    expect(await upgrades()).toEqual([{ status: 'REVERSED', machine_larger: false }])
    expect((await sale.order(id)).ipCount).toBe(1)
    expect((await upgrade({ ipCount: 2 })).status).toBe(200)
  })

  test('as nobody knows what the host lets through stay nobody else’s until it lets through the others alone', async () => {
    await sale.agent.serve({ ok: false, final: true, power: 'on' })
    await sweep(sale.app.deps)
    expect([await sale.lin.balance(), await placed()]).toEqual([before, [first, second]])
    expect((await consoleOf()).ipAddresses).toEqual([first])
    expect((await upgrade({ ipCount: 2 })).body.code).toBe('LOCKED')
    const back = (await sale.agent.claim())!
    expect(networkOf(back.payload)).toMatchObject({ addresses: [{ address: first }], added: [] })
    await sale.agent.finish(back, done([first], []))
    expect([await placed(), await upgrades()]).toEqual([[first], [{ status: 'REVERSED', machine_larger: false }]])
    expect(await sale.agent.claim()).toBeNull()
  })

  test('of an upgrade that is not done, or was taken back, have no reverse name to be set', async () => {
    const path = `/server-management/${await sale.serverOf(id)}/reverse-names`
    const named = async () =>
      (await sale.lin.get(path)).body.data.names.map(({ address }: { address: string }) => address)
    const set = async () => (await sale.lin.put(`${path}/${second}`, { name: 'mail.example.com' })).status
    expect([await named(), await set()]).toEqual([[first], 404])
    await sale.agent.serve(failed([first, second]))
    await sweep(sale.app.deps)
    expect(await placed()).toEqual([first, second])
    expect([await named(), await set()]).toEqual([[first], 404])
  })

  test('are in no description that is asked for before they are given back: by then they are somebody else’s', async () => {
    await sale.agent.serve(failed([first]))
    const again = { action: 'reinstall', osName: 'Debian', osVersion: '12', rootPassword: 'Again-pass-1' }
    expect((await action(again)).status).toBe(200)
    await sweep(sale.app.deps)
    expect(await placed()).toEqual([first])
    const job = (await sale.agent.claim())!
    expect(job.payload).toMatchObject({ kind: 'reinstall', machine: { network: { addresses: [{ address: first }] } } })
    await sale.agent.finish(job)
    const told = (await sale.agent.inventory()).networks
    expect(told).toMatchObject([{ addresses: [first] }])
  })

  test('from an agent that knows no addresses are given back, whatever it says', async () => {
    await sale.agent.serve({ ok: true, power: 'on', size })
    await sweep(sale.app.deps)
    expect([await sale.lin.balance(), (await sale.order(id)).ipCount]).toEqual([before, 1])
    expect((await sale.agent.serve(done([first], [])))?.payload.kind).toBe('resize')
    expect(await placed()).toEqual([first])
  })

  test('before its order is over stay with the place until that is free', async () => {
    const job = (await sale.agent.claim())!
    await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    const { id: request } = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await sale.admin.post(`/refunds/${request}/approve`, { reason: '同意' })
    await sale.agent.finish(job, done([first, second], [second]))
    await sweep(sale.app.deps)
    expect(await sale.lin.balance()).toBe(300)
    expect(await placed()).toEqual([first, second])
    await sale.agent.serve({ power: 'absent' })
    await sale.agent.inventory()
    expect(await placed()).toEqual([])
  })
})

describe('added addresses', () => {
  beforeEach(async () => {
    await upgrade({ ipCount: 2 })
    await sale.agent.serve(done([first, second], [second]))
  })

  test('are in each description that follows; after a reinstall its seed told the guest', async () => {
    expect(
      (await action({ action: 'reinstall', osName: 'Debian', osVersion: '12', rootPassword: 'Again-pass-1' })).status,
    ).toBe(200)
    const job = (await sale.agent.claim())!
    expect(job.payload).toMatchObject({
      machine: { network: { addresses: [{ address: first }, { address: second }] } },
    })
    await sale.agent.finish(job)
    expect(await consoleOf()).toMatchObject({ ipAddresses: [first, second], addedAddresses: [] })
  })

  test('are told as had since the upgrade, not since the purchase, after a reinstall, too', async () => {
    const termsOf = async (address: string) =>
      (await sale.admin.get(`/address-history?text=${address}`)).body.data.content
    const [bought] = await termsOf(first)
    const [added] = await termsOf(second)
    expect(added.from > bought.from).toBe(true)
    await action({ action: 'reinstall', osName: 'Debian', osVersion: '12', rootPassword: 'Again-pass-1' })
    await sale.agent.serve()
    expect(await termsOf(second)).toEqual([added])
    await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    const { id: request } = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await sale.admin.post(`/refunds/${request}/approve`, { reason: '同意' })
    await sale.agent.serve({ power: 'absent' })
    await sale.agent.inventory()
    expect(await termsOf(second)).toMatchObject([{ from: added.from, until: expect.any(String) }])
  })

  test('are the owner’s to add in a guest that was taken back to a backup from before them, made anew meanwhile or not', async () => {
    const serverId = await sale.serverOf(id)
    const backups = `/server-management/${serverId}/backups`
    const make = async () => {
      await sale.lin.post(backups, {})
      await sale.agent.serve({ power: 'on', backup: { diskBytes: 1, addedBytes: 1, hostKey: 'ssh-ed25519 AAAA' } })
      return (await sale.lin.get(backups)).body.data.backups[0].id
    }
    const restore = async (backupId: string) => {
      expect((await sale.lin.post(`${backups}/${backupId}/restore`)).status).toBe(200)
      await sale.agent.serve({ power: 'on' })
      return (await consoleOf()).addedAddresses
    }
    const storage = { url: '/srv/backups', password: 'Keeps-them-1', version: 0 }
    expect((await sale.admin.put('/backup-repository', storage)).status).toBe(200)
    expect((await upgrade({ backups: 2 })).status).toBe(200)
    const withTwo = await make()
    await upgrade({ ipCount: 3 })
    await sale.agent.serve(done([first, second, third], [second, third]))
    await action({ action: 'reinstall', osName: 'Debian', osVersion: '12', rootPassword: 'Again-pass-1' })
    await sale.agent.serve()
    expect((await consoleOf()).addedAddresses).toEqual([])
    const withAll = await make()
    expect(await restore(withAll)).toEqual([])
    expect(await restore(withTwo)).toMatchObject([{ address: third, inGuest: false }])
  })

  test('are told again with the next ones', async () => {
    await upgrade({ ipCount: 3, cpuCores: 4 })
    const job = (await sale.agent.claim())!
    expect(job.payload).toMatchObject({ cpuCores: 4 })
    expect(networkOf(job.payload)?.added).toEqual([second, third])
    await sale.agent.finish(job, {
      ...done([first, second, third], [second, third]),
      size: { cpuCores: 4, memoryMb: 4096 },
    })
    expect(await sale.order(id)).toMatchObject({ ipCount: 3, cpuCores: 4 })
  })

  test('are bought no more for an upgrade of something else', async () => {
    await upgrade({ cpuCores: 3 })
    expect(networkOf((await sale.agent.serve(done([first, second], [second])))?.payload)?.added).toEqual([second])
    expect(await placed()).toEqual([first, second])
  })

  test('are the owner’s to add in a guest that was taken back to a snapshot', async () => {
    const serverId = await sale.serverOf(id)
    expect((await sale.lin.post(`/server-management/${serverId}/snapshots`, { name: '之前' })).status).toBe(200)
    await sale.agent.serve({ power: 'on' })
    const [snapshot] = (await sale.lin.get(`/server-management/${serverId}/snapshots`)).body.data
    expect((await sale.lin.post(`/server-management/${serverId}/snapshots/${snapshot.id}/revert`)).status).toBe(200)
    await sale.agent.serve({ power: 'on' })
    expect((await consoleOf()).addedAddresses).toMatchObject([{ address: second, inGuest: false }])
  })
})
