import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteSecrets } from '../fulfilment/delete-secrets.js'
import { inTx } from '../db/tx.js'
import type { TestApp } from '../testing/app.js'
import { call, person, type Person } from '../testing/people.js'
import { addReached, openSale, type HostAgent, type Sale } from '../testing/sale.js'

let sale: Sale
let app: TestApp
let lin: Person
let admin: Person
let agent: HostAgent
let orderId: string
let serverId: string
let at: string
beforeEach(async () => {
  sale = await openSale()
  ;({ app, lin, admin, agent } = sale)
  await app.db.updateTable('price_groups').set({ snapshots: 2 }).execute()
  orderId = await sale.buyActive()
  serverId = await sale.serverOf(orderId)
  at = `/server-management/${serverId}/snapshots`
})
afterEach(() => app.close())

const list = async () => (await lin.get(at)).body.data
const take = (name = '更新前') => lin.post(at, { name })
async function taken(name?: string): Promise<string> {
  expect((await take(name)).status).toBe(200)
  await agent.serve()
  return (await list())[0].id
}
const remove = (path: string) => call(app, 'DELETE', path, { token: lin.token })
const countedGb = async () => {
  const host = await app.db.selectFrom('hosts').select('used_disk_gb').executeTakeFirstOrThrow()
  return host.used_disk_gb
}
const resetTo = async (newPassword: string) => {
  await lin.post('/server-management/action', { serverId, action: 'resetPassword', newPassword })
  await agent.serve()
}
const password = async () => (await lin.get(`/server-management/${serverId}/password`)).body.data.password
const seen = async (snapshots: string[], number = 1) => {
  const { mac } = await app.db.selectFrom('servers').select('mac').executeTakeFirstOrThrow()
  const size = { cpuCores: 2, memoryMb: 4096 }
  const made = { epoch: 0, number }
  const domain = { uuid: serverId, name: `vps-${serverId}`, power: 'on' as const, generation: made, macs: [mac!], size }
  await agent.inventory({ domains: [{ ...domain, snapshots }] })
  const found = await app.db
    .selectFrom('findings')
    .select(['kind', 'details'])
    .where('resolved_at', 'is', null)
    .execute()
  return found.filter(({ kind }) => kind === 'changed-snapshots').map(({ details }) => details)
}

describe('taking', () => {
  test('a snapshot is being created until its job has ended, and its room is counted at once', async () => {
    expect(await countedGb()).toBe(40)
    expect((await take()).status).toBe(200)
    expect(await list()).toMatchObject([{ name: '更新前', state: 'CREATING', diskGb: 40 }])
    expect(await countedGb()).toBe(80)
    const job = await agent.serve()
    expect(job?.payload).toEqual({ kind: 'snapshot', snapshotId: (await list())[0].id })
    expect(job?.secrets).toBeNull()
    expect(await list()).toMatchObject([{ state: 'READY' }])
    expect((await lin.get(`/server-management/${serverId}`)).body.data.snapshots).toEqual({ used: 1, most: 2 })
  })

  test('the same key takes one, however often it is sent', async () => {
    const key = '01900000-0000-7000-8000-00000000000a'
    const first = await lin.post(at, { name: '一' }, { key })
    expect((await lin.post(at, { name: '一' }, { key })).body.data).toEqual(first.body.data)
    expect(await list()).toHaveLength(1)
  })

  test('is refused beyond the number of the price group, which counts as it is now, and while busy', async () => {
    await taken()
    await take('二')
    expect((await take('三')).body.code).toBe('LOCKED')
    await agent.serve()
    const { body } = await take('三')
    expect(body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: '最多保留 2 个快照，请先删除不需要的' })
    await app.db.updateTable('price_groups').set({ snapshots: 0 }).execute()
    expect((await take('三')).body.message).toBe('该服务器不提供快照')
    expect(await list()).toHaveLength(2)
  })

  test('two at once with room for one leave one', async () => {
    await taken()
    const both = await Promise.all([take('二'), take('三')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await list()).toHaveLength(2)
    expect(await countedGb()).toBe(120)
  })

  test('is refused with a sentence where the host has no room, and leaves nothing', async () => {
    await app.db.updateTable('hosts').set({ disk_gb: 79 }).execute()
    const { status, body } = await take()
    expect([status, body.code]).toEqual([409, 'NO_STOCK'])
    expect(body.message).toContain('宿主机存储空间不足')
    expect(await list()).toEqual([])
    expect(await countedGb()).toBe(40)
    expect(await agent.claim()).toBeNull()
  })

  test('a name must be one, of at most 60 characters', async () => {
    expect((await take('  ')).status).toBe(400)
    expect((await take('长'.repeat(61))).status).toBe(400)
  })

  test('that failed, or was replaced by a power cut, is told as failed and can be deleted', async () => {
    await take()
    await agent.finish((await agent.claim())!, { ok: false, final: true, message: '创建快照失败', power: 'on' })
    expect(await list()).toMatchObject([{ state: 'FAILED' }])
    await take('二')
    await lin.post('/server-management/action', { serverId, action: 'stop', force: true })
    await agent.serve({ power: 'off' })
    expect(await list()).toMatchObject([{ state: 'FAILED' }, { state: 'FAILED' }])
    const [one] = await list()
    expect((await lin.post(`${at}/${one.id}/revert`)).body.message).toBe('快照尚未创建完成')
    expect((await remove(`${at}/${one.id}`)).status).toBe(200)
    await agent.serve({ power: 'off' })
    expect(await list()).toHaveLength(1)
  })
})

describe('reverting', () => {
  test('brings the password of that time, which counts again once it is done', async () => {
    const id = await taken()
    await resetTo('Changed-later-2')
    expect((await lin.post(`${at}/${id}/revert`)).status).toBe(200)
    expect(await password()).toBe('Changed-later-2')
    const job = (await agent.claim())!
    expect(job).toMatchObject({ payload: { kind: 'revert', snapshotId: id }, secrets: { password: 'Secret-pass-1' } })
    await agent.finish(job, { proven: true })
    expect(await password()).toBe('Secret-pass-1')
    expect(await list()).toHaveLength(1)
  })

  test('brings what was said then of a system that its owner may have installed from a disc', async () => {
    await app.db.updateTable('price_groups').set({ snapshots: 2 }).execute()
    const bootedAt = async () => (await lin.get(`/server-management/${serverId}`)).body.data.iso.bootedAt
    const revertTo = async (id: string, proven: boolean) => {
      await lin.post(`${at}/${id}/revert`)
      await agent.serve({ proven })
    }
    const before = await taken('之前')
    const since = new Date()
    await app.db.updateTable('servers').set({ iso_booted_at: since }).execute()
    const after = await taken('之后')
    await revertTo(before, false)
    expect(await bootedAt()).toBeNull()
    await revertTo(after, false)
    expect(await bootedAt()).toBe(since.toISOString())
    await revertTo(after, true)
    expect(await bootedAt()).toBeNull()
  })

  test('that failed leaves the password as it is known', async () => {
    const id = await taken()
    await resetTo('Changed-later-2')
    await lin.post(`${at}/${id}/revert`)
    await agent.finish((await agent.claim())!, { ok: false, final: true, message: '快照已不存在', power: 'on' })
    expect(await password()).toBe('Changed-later-2')
  })

  test('is refused to its owner while the server is protected, not to an administrator', async () => {
    const id = await taken()
    await lin.put(`/server-management/${serverId}/protection`, { protected: true })
    expect((await lin.post(`${at}/${id}/revert`)).body.code).toBe('PROTECTED')
    expect((await admin.post(`${at}/${id}/revert`)).status).toBe(200)
  })

  test('an operator cannot retry it: it would lose what was written since', async () => {
    const id = await taken()
    await lin.post(`${at}/${id}/revert`)
    const job = (await agent.claim())!
    await agent.finish(job, { ok: false, final: true, message: '恢复磁盘失败', power: 'off' })
    expect((await admin.post(`/jobs/${job.id}/retry`)).body.code).toBe('MOVE_NOT_ALLOWED')
  })

  test('the password of a snapshot is kept as long as it, and forgotten with it', async () => {
    await resetTo('Second-one-2')
    const id = await taken()
    await resetTo('Changed-later-2')
    app.advance(2 * 86_400_000)
    const kept = async () => {
      await inTx(app.db, (tx) => deleteSecrets(tx, app.deps.now()))
      return (await app.db.selectFrom('machine_secrets').select('id').execute()).length
    }
    expect(await kept()).toBe(3)
    await remove(`${at}/${id}`)
    await agent.serve()
    expect(await kept()).toBe(2)
    expect(await password()).toBe('Changed-later-2')
  })
})

describe('what becomes of them', () => {
  test('one that was deleted gives its room back, and only once the host says so', async () => {
    const id = await taken()
    expect((await remove(`${at}/${id}`)).status).toBe(200)
    expect(await countedGb()).toBe(80)
    expect((await agent.serve())?.payload).toEqual({ kind: 'deleteSnapshot', snapshotId: id })
    expect(await list()).toEqual([])
    expect(await countedGb()).toBe(40)
  })

  test('one that was deleted meanwhile is told as that, whatever is asked of it', async () => {
    const id = await taken()
    await remove(`${at}/${id}`)
    await agent.serve()
    for (const { status, body } of [await remove(`${at}/${id}`), await lin.post(`${at}/${id}/revert`)])
      expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', '快照已不存在'])
  })

  test('a reinstall takes them with its disk: none is shown from then on, and their room is free when it is done', async () => {
    const id = await taken()
    const system = { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2' }
    await lin.post(`/server-management/${serverId}/install`, system)
    expect(await list()).toEqual([])
    expect(await countedGb()).toBe(80)
    await agent.serve()
    expect(await countedGb()).toBe(40)
    expect((await lin.post(`${at}/${id}/revert`)).body.code).toBe('NOT_FOUND')
    await taken('重装后')
    expect(await countedGb()).toBe(80)
  })

  test('they go when the server is released, and their room with its place', async () => {
    await taken()
    await lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
    const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })
    expect(await app.db.selectFrom('snapshots').select('id').execute()).toEqual([])
    expect(await countedGb()).toBe(80)
    await agent.serve({ power: 'absent' })
    await agent.inventory()
    expect(await countedGb()).toBe(0)
  })

  test('what a disk holds is held against the rows: one deleted by hand, and one that nobody ordered, are a finding', async () => {
    const id = await taken()
    const stranger = '01900000-0000-7000-8000-00000000000b'
    expect(await seen([id])).toEqual([])
    expect(await seen([])).toEqual([{ missing: [id], unknown: [] }])
    expect(await seen([id, stranger])).toEqual([{ missing: [], unknown: [stranger] }])
    expect(await seen([id])).toEqual([])
  })

  test('one that failed may be there or not', async () => {
    await take()
    await agent.finish((await agent.claim())!, { ok: false, final: true, message: '创建快照失败', power: 'on' })
    const [{ id }] = await list()
    expect(await seen([])).toEqual([])
    expect(await seen([id])).toEqual([])
  })
})

describe('who may', () => {
  test('while an order is suspended they are only read; others find nothing', async () => {
    const id = await taken()
    await app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'unpaid' }).execute()
    expect(await list()).toHaveLength(1)
    for (const { body } of [await take(), await lin.post(`${at}/${id}/revert`), await remove(`${at}/${id}`)])
      expect(body.code).toBe('MOVE_NOT_ALLOWED')
    const chen = await person(app, 'chen')
    expect((await chen.get(at)).status).toBe(404)
  })

  test('one of another server is not found', async () => {
    const id = await taken()
    const other = await sale.serverOf(await sale.buyActive())
    expect((await lin.post(`/server-management/${other}/snapshots/${id}/revert`)).status).toBe(404)
    expect((await remove(`/server-management/${other}/snapshots/${id}`)).status).toBe(404)
  })

  test('a dedicated server has none', async () => {
    const dedicated = await addReached(sale)
    const there = `/server-management/${dedicated}`
    expect((await admin.get(there)).body.data.snapshots).toEqual({ used: 0, most: 0 })
    expect((await admin.post(`${there}/snapshots`, { name: '一' })).body.code).toBe('NOT_SUPPORTED')
  })

  test('what was done is in the audit log, and an act’s log has it for its owner', async () => {
    const id = await taken()
    await lin.post(`${at}/${id}/revert`)
    const rows = await app.db.selectFrom('audit_log').select(['action', 'details']).orderBy('id').execute()
    expect(rows.filter(({ action }) => action === 'server.snapshot')).toMatchObject([{ details: { name: '更新前' } }])
    expect(rows.filter(({ action }) => action === 'server.revert')).toMatchObject([{ details: { snapshotId: id } }])
    const log = (await lin.get(`/server-management/${serverId}/logs`)).body.data.content
    expect(log.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual(['revert', 'snapshot'])
  })
})
