import { randomUUID } from 'node:crypto'
import { migratingNow } from '@vps/shared/cold-migrations'
import type { Migratable } from '@vps/shared/cold-migrations.contract'
import { firewallTemplates } from '@vps/shared/firewall'
import { noHostToMigrateTo } from '@vps/shared/migration-words'
import { fen } from '@vps/shared/money'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { enrolHost } from '../fleet/hosts.js'
import { must } from '../must.js'
import { sweep } from '../schedule/sweep.js'
import { capacity, hostAgent } from '../testing/host.js'
import { lockWaits } from '../testing/locks.js'
import { call } from '../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'
import { addHost, sharePool } from '../testing/shop.js'
import { beginWaiting } from './migrate-servers.js'

/** A server goes to another living host with its data, and is nowhere twice and never nowhere (decision 0131). */

let sale: Sale
let other: { id: string; agent: HostAgent }
let orderId: string
let serverId: string
beforeEach(async () => {
  sale = await openSale({ yuan: 500, servers: 2, addresses: 10 })
  const { app, admin, shop } = sale
  await admin.put('/backup-repository', { url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
  await app.db
    .updateTable('price_groups')
    .set({ most_backups: 5, backup_rate_fen: fen(300), snapshots: 2 })
    .execute()
  orderId = await sale.buyActive({ backups: 2 })
  serverId = await sale.serverOf(orderId)
  await sale.agent.report(serverId, 'on')
  const host = await addHost(app, shop, { network: '10.9.1', servers: 2 })
  other = { id: host.id, agent: hostAgent(app, host.token) }
  await sharePool(app, sale.host.id, other.id)
})
afterEach(() => sale.app.close())

const askToMigrate = (hostId: string | null = null, id = serverId) =>
  sale.admin.post(`/servers/${id}/migrate`, { hostId }, { key: randomUUID() })
/** Its turn comes at once. */
async function migrate(hostId: string | null = null) {
  const answer = await askToMigrate(hostId)
  await sweep(sale.app.deps)
  return answer
}
const cancel = () =>
  call(sale.app, 'DELETE', `/servers/${serverId}/migrate`, { token: sale.admin.token, key: randomUUID() })
const off = { power: 'off' } as const
const copied = { power: 'off', backup: { diskBytes: 1, addedBytes: 1, hostKey: 'ssh-ed25519 AAAA' } } as const
/** As far as its disk's copy is whole, and it is asked for at the other host. */
async function saved() {
  expect((await migrate()).status).toBe(200)
  expect((await sale.agent.serve(off))?.payload).toEqual({ kind: 'stop', force: false, graceSeconds: 60 })
  expect((await sale.agent.serve(copied))?.payload.kind).toBe('backup')
}
async function listed(hostId = sale.host.id): Promise<Migratable | undefined> {
  const servers: Migratable[] = (await sale.admin.get(`/hosts/${hostId}/migrations`)).body.data
  return servers.find((one) => one.serverId === serverId)
}
const stage = async () => (await listed())?.migration?.stage ?? (await listed(other.id))?.migration?.stage
const view = async () => (await sale.lin.get(`/server-management/${serverId}`)).body.data
const places = async () => {
  const rows = await sale.app.db
    .selectFrom('placements as p')
    .select(['p.host_id', 'p.state'])
    .where('p.server_id', '=', serverId)
    .execute()
  return Object.fromEntries(rows.map(({ host_id, state }) => [host_id === other.id ? 'there' : 'here', state]))
}
const faults = async () =>
  (await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')).flatMap((verdict) => verdict.faults)
/** A host without anything left of it, read after that was told. */
const seenEmpty = (agent: HostAgent) => agent.inventory()
const moment = () => sale.app.advance(11 * 60_000)

test('goes with its disk, addresses and login; it is destroyed where it was only once it runs where it is', async () => {
  const before = await view()
  await saved()
  expect(await places()).toEqual({ here: 'standby', there: 'held' })
  expect(await sale.agent.claim()).toBeNull()
  expect(await faults()).toEqual([])
  const job = await other.agent.claim()
  expect(job).toMatchObject({ generation: { number: 2 }, payload: { kind: 'restore', hostKey: 'ssh-ed25519 AAAA' } })
  expect(job?.payload).not.toHaveProperty('from')
  expect(job?.payload).toMatchObject({ machine: { network: { addresses: [{ address: before.ipAddress }] } } })
  expect(job?.secrets?.password).toBe('Secret-pass-1')
  await other.agent.finish(job!, { power: 'on' })
  expect(await stage()).toBe('DONE')
  expect((await sale.agent.claim())?.payload.kind).toBe('destroy')
  expect(await places()).toEqual({ here: 'releasing', there: 'held' })
  const after = await view()
  expect([after.ipAddress, after.power, after.openJob]).toEqual([before.ipAddress, 'on', null])
  expect(await faults()).toEqual([])
})

test('has all the time to pay that began as its old host came back from a loss', async () => {
  const { app, admin, agent, host } = sale
  await app.db.updateTable('orders').set({ auto_renewal: false }).execute()
  await sale.toEnd(orderId, 3_600_000)
  await sweep(app.deps)
  expect((await agent.serve(off))?.payload.kind).toBe('stop')
  expect((await admin.put(`/hosts/${host.id}/status`, { status: 'LOST' })).status).toBe(200)
  app.advance(5 * 86_400_000)
  const { token } = (await admin.post(`/hosts/${host.id}/enrolment`)).body.data
  const again = { ...agent.me, hostname: 'h', capacity, enrolmentToken: token, hostToken: host.token }
  await inTx(app.db, (tx) => enrolHost(tx, again, app.deps.now()))
  await sweep(app.deps)
  expect((await sale.order(orderId)).status).toBe('SUSPENDED')
  await saved()
  await other.agent.serve({ power: 'on' })
  expect(await stage()).toBe('DONE')
  await sweep(app.deps)
  expect([(await sale.order(orderId)).status, await faults()]).toEqual(['SUSPENDED', []])
  expect((await sale.lin.post(`/orders/${orderId}/renew`)).status).toBe(200)
})

describe('the name of its address', () => {
  const named = () =>
    sale.app.db
      .selectFrom('reverse_names as n')
      .innerJoin('placements as p', 'p.id', 'n.placement_id')
      .select(['p.state', 'n.wanted', 'n.due_at'])
      .execute()
  beforeEach(async () => {
    const { db, deps } = sale.app
    const { ipAddress } = await view()
    const { id } = await db
      .selectFrom('placements')
      .select('id')
      .where('server_id', '=', serverId)
      .executeTakeFirstOrThrow()
    const name = { wanted: 'a.example.com', written: 'a.example.com', updated_at: deps.now() }
    await db
      .insertInto('reverse_names')
      .values({ address: ipAddress, placement_id: id, ...name })
      .execute()
    await saved()
  })

  test('goes along: nothing takes it from the name server as the old place is left', async () => {
    expect(await named()).toEqual([{ state: 'held', wanted: 'a.example.com', due_at: null }])
    await other.agent.serve({ power: 'on' })
    expect(await stage()).toBe('DONE')
    expect(await named()).toEqual([{ state: 'held', wanted: 'a.example.com', due_at: null }])
  })

  test('comes back with a server that did not come up there', async () => {
    await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'on' })
    expect((await other.agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    expect(await places()).toEqual({ here: 'held', there: 'releasing' })
    expect(await named()).toEqual([{ state: 'held', wanted: 'a.example.com', due_at: null }])
  })
})

test.each([
  ['spread', ['roomy', 'host-10.9.1', 'taken']],
  ['pack', ['host-10.9.1', 'roomy', 'taken']],
] as const)(
  'goes where its group would place it (%s), but last to where its customer has another',
  async (how, order) => {
    const { app, shop } = sale
    await app.db.updateTable('server_groups').set({ placement: how }).execute()
    await app.db.updateTable('hosts').set({ status: 'DRAINING' }).where('name', '<>', 'taken').execute()
    const taken = await addHost(app, shop, { network: '10.9.3', servers: how === 'spread' ? 9 : 2, name: 'taken' })
    await sale.buy()
    const roomy = await addHost(app, shop, { network: '10.9.2', servers: 5, name: 'roomy' })
    await app.db.updateTable('hosts').set({ status: 'READY' }).execute()
    for (const { id } of [taken, roomy]) await sharePool(app, sale.host.id, id)
    const { data } = (await sale.admin.get(`/servers/${serverId}/migration-hosts`)).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(order)
  },
)

test('its place where it was is given up once nothing of it is left there', async () => {
  await saved()
  await other.agent.serve({ power: 'on' })
  await sale.agent.serve({ power: 'absent' })
  await seenEmpty(sale.agent)
  expect(await places()).toEqual({ here: 'freed', there: 'held' })
  const [copy] = await sale.app.db.selectFrom('backups').selectAll().execute()
  expect(copy?.forget_at).not.toBeNull()
  await sweep(sale.app.deps)
  expect((await other.agent.claim())?.payload.kind).toBe('deleteBackup')
  expect(await faults()).toEqual([])
})

test('its copy is not forgotten through a host that has yet to clean up, which would take that for outdated', async () => {
  await saved()
  await other.agent.serve({ power: 'on' })
  await sale.agent.serve({ ok: false, final: true, power: 'off' })
  const silent = { last_seen_at: new Date(0) }
  await sale.app.db.updateTable('host_heartbeats').set(silent).where('host_id', '=', other.id).execute()
  await sweep(sale.app.deps)
  expect(await sale.agent.claim()).toBeNull()
})

test('its copy is not told to operators as the last backup of a schedule that is late', async () => {
  const at = `/server-management/${serverId}/backup-schedule`
  expect((await sale.lin.put(at, { schedule: { frequency: 'daily', hour: 3 } })).status).toBe(200)
  await saved()
  await sale.app.db
    .updateTable('backup_schedules')
    .set({ late_at: new Date(0) })
    .execute()
  await sweep(sale.app.deps)
  const late = sale.app.db.selectFrom('findings').select('details').where('kind', '=', 'late-backup')
  expect(await late.execute()).toMatchObject([{ details: { wholeAt: null } }])
})

test('what operators are told of its backups goes along with it, as one finding as old as it was', async () => {
  const { app, admin, lin, host } = sale
  const daily = { schedule: { frequency: 'daily', hour: 3 } }
  expect((await lin.put(`/server-management/${serverId}/backup-schedule`, daily)).status).toBe(200)
  const beLate = () =>
    app.db
      .updateTable('backup_schedules')
      .set({ late_at: new Date(0) })
      .execute()
  await beLate()
  await sweep(app.deps)
  const told = async (): Promise<Record<string, unknown>[]> =>
    (await admin.get('/findings?open=true')).body.data.content.filter((one: { serverId: string }) => one.serverId)
  const before = await told()
  expect(before).toMatchObject([{ kind: 'late-backup', serverId, hostId: host.id }])
  await saved()
  await other.agent.serve({ power: 'on' })
  moment()
  await beLate()
  await sweep(app.deps)
  const { id, firstSeenAt } = before[0]!
  expect(await told()).toMatchObject([{ id, firstSeenAt, kind: 'late-backup', serverId, hostId: other.id }])
})

test('an address that its guest took while it ran is not for its owner to add again', async () => {
  const { ipAddress } = await view()
  expect((await sale.lin.post(`/orders/${orderId}/upgrade`, { ipCount: 2 })).status).toBe(200)
  const job = await sale.agent.claim()
  const [added] = job?.payload.kind === 'resize' ? (job.payload.network?.added ?? []) : []
  const inGuest = { taken: [added!], answered: [added!] }
  await sale.agent.finish(job!, {
    power: 'on',
    size: { cpuCores: 2, memoryMb: 4096 },
    admitted: [ipAddress, added!],
    inGuest,
  })
  await saved()
  await other.agent.serve({ power: 'on' })
  expect(await view()).toMatchObject({
    ipAddresses: [ipAddress, added],
    addedAddresses: [{ address: added, inGuest: true }],
  })
})

test('its copy is none of its owner’s backups', async () => {
  await saved()
  const { body } = await sale.lin.get(`/server-management/${serverId}/backups`)
  expect(body.data).toMatchObject({ backups: [], used: 0 })
})

describe('while it migrates', () => {
  test.each([
    ['turns it off by force', 'action', { action: 'stop', force: true }],
    ['starts it', 'action', { action: 'start' }],
    ['makes a backup', `backups`, {}],
  ])('nobody %s, at no stage', async (_, act, body) => {
    const ask = async () => {
      const at = act === 'action' ? '' : `/${serverId}`
      const answer = await sale.lin.post(`/server-management${at}/${act}`, { ...body, serverId })
      return [answer.status, answer.body.message]
    }
    await migrate()
    expect(await ask()).toEqual([409, migratingNow])
    await sale.agent.serve(off)
    expect(await ask()).toEqual([409, migratingNow])
    expect((await view()).openJob).toMatchObject({ kind: 'backup' })
    await sale.agent.serve(copied)
    expect(await ask()).toEqual([409, migratingNow])
    await other.agent.serve({ ok: false, final: true, power: 'off' })
    expect(await stage()).toBe('RETURNING')
    expect(await ask()).toEqual([409, migratingNow])
  })

  test('it is told as that to its owner', async () => {
    expect((await view()).migrating).toBe(false)
    await saved()
    expect((await view()).migrating).toBe(true)
    await other.agent.serve({ power: 'on' })
    expect((await view()).migrating).toBe(false)
  })

  test('on its way back its owner is told that it stays, not that it goes', async () => {
    await saved()
    expect(await view()).toMatchObject({ migrating: true, movesBack: false })
    await other.agent.serve({ ok: false, final: true, power: 'off' })
    expect(await stage()).toBe('RETURNING')
    expect(await view()).toMatchObject({ migrating: true, movesBack: true })
  })

  test('it is asked to migrate once', async () => {
    const both = await Promise.all([askToMigrate(), askToMigrate()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await sale.app.db.selectFrom('cold_migrations').selectAll().execute()).length).toBe(1)
    expect(await faults()).toEqual([])
  })

  test('both places are counted, and a full host takes no more', async () => {
    await migrate()
    for (const _ of ['here', 'there']) await sale.buy()
    const beyond = await sale.place().then(
      (id) => sale.lin.post(`/orders/${id}/pay`),
      () => null,
    )
    expect(beyond?.status).not.toBe(200)
    expect(await faults()).toEqual([])
  })

  test.each([
    ['it is turned off', { here: 'releasing', there: 'freed' }],
    ['it is copied', { here: 'releasing', there: 'freed' }],
    ['it is brought back', { here: 'releasing', there: 'releasing' }],
    ['it is on its way back', { here: 'releasing', there: 'releasing' }],
  ])('the end of its order as %s ends it everywhere', async (when, left) => {
    if (left.there === 'releasing') await saved()
    else await migrate()
    if (when === 'it is on its way back')
      await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'on' })
    if (when === 'it is copied') await sale.agent.serve(off)
    await sale.lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
    const { id } = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    expect((await sale.admin.post(`/refunds/${id}/approve`, { reason: '同意' })).status).toBe(200)
    expect(await places()).toEqual(left)
    expect((await sale.agent.claim())?.payload.kind).toBe('destroy')
    const there = await other.agent.claim()
    expect(there?.payload.kind).toBe(left.there === 'freed' ? undefined : 'destroy')
    if (there) await other.agent.finish(there, { power: 'absent' })
    expect(await sale.agent.claim()).toBeNull()
    expect(
      (await sale.app.db.selectFrom('cold_migrations').select('stage').execute()).map(({ stage }) => stage),
    ).toEqual(['FAILED'])
    expect(await faults()).toEqual([])
  })
})

describe('servers of one host', () => {
  const second = async () => {
    await sale.app.db.updateTable('hosts').set({ cpu_cores: 40, memory_mb: 100_000, disk_gb: 1000 }).execute()
    const id = await sale.serverOf(await sale.buyActive())
    await askToMigrate(null)
    await askToMigrate(null, id)
    return id
  }
  const stages = async () =>
    (await sale.app.db.selectFrom('cold_migrations').select('stage').orderBy('created_at').execute()).map(
      (m) => m.stage,
    )

  test('go one after another: the next is left on until the one before has arrived, or stays', async () => {
    const waits = await second()
    await sweep(sale.app.deps)
    await sweep(sale.app.deps)
    expect(await stages()).toEqual(['STOPPING', 'WAITING'])
    expect((await sale.lin.get(`/server-management/${waits}`)).body.data).toMatchObject({
      migrating: false,
      openJob: null,
    })
    await sale.agent.serve(off)
    await sale.agent.serve(copied)
    await sweep(sale.app.deps)
    expect(await stages()).toEqual(['RESTORING', 'WAITING'])
    await other.agent.serve({ power: 'on' })
    await sweep(sale.app.deps)
    expect(await stages()).toEqual(['DONE', 'STOPPING'])
    expect(await faults()).toEqual([])
  })

  test('one that is busy lets those behind it go first, and has its turn afterwards', async () => {
    await second()
    await sale.lin.post('/server-management/action', { serverId, action: 'restart' })
    await sweep(sale.app.deps)
    expect(await stages()).toEqual(['WAITING', 'STOPPING'])
    expect([await sale.agent.serve({ power: 'on' }), await sale.agent.serve(off)]).toMatchObject([
      { payload: { kind: 'restart' } },
      { payload: { kind: 'stop' } },
    ])
    await sweep(sale.app.deps)
    expect(await stages()).toEqual(['WAITING', 'SAVING'])
    await sale.agent.serve(copied)
    await other.agent.serve({ power: 'on' })
    await sweep(sale.app.deps)
    expect(await stages()).toEqual(['STOPPING', 'DONE'])
    expect(await faults()).toEqual([])
  })

  test('two processes begin only one, though one of them saw the first busy', async () => {
    const waits = await second()
    const { app, lin, agent } = sale
    const begin = (id: string) => (tx: Tx) => beginWaiting(tx, id, app.deps.now())
    await lin.post('/server-management/action', { serverId, action: 'restart' })
    const { first } = await inTx(app.db, async (tx) => {
      await begin(waits)(tx)
      await agent.serve({ power: 'on' })
      const late = inTx(app.db, begin(serverId))
      await vi.waitFor(async () => expect(await lockWaits(app.owner)).toBe(1))
      return { first: late }
    })
    await first
    expect(await stages()).toEqual(['WAITING', 'STOPPING'])
  })

  test('one that waits is set up elsewhere where its host is lost, and does not migrate from there', async () => {
    await askToMigrate()
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    const elsewhere = await sale.admin.post(`/orders/${orderId}/evacuate`, {}, { key: randomUUID() })
    expect(elsewhere.status).toBe(200)
    await other.agent.serve()
    await sweep(sale.app.deps)
    const { stage: at, reason } = await sale.app.db.selectFrom('cold_migrations').selectAll().executeTakeFirstOrThrow()
    expect([at, reason]).toEqual(['FAILED', '服务器已在其他宿主机上重建'])
    expect(await places()).toEqual({ here: 'freed', there: 'held' })
    expect(await faults()).toEqual([])
  })

  test('two processes begin one of them', async () => {
    await second()
    await Promise.all([sweep(sale.app.deps), sweep(sale.app.deps), sweep(sale.app.deps)])
    expect(await stages()).toEqual(['STOPPING', 'WAITING'])
  })

  test('one that waits obeys its owner, is looked at again when its turn comes, and can be called off', async () => {
    const waits = await second()
    await sweep(sale.app.deps)
    await sale.lin.post(`/server-management/${waits}/snapshots`, { name: 'a' })
    expect((await askToMigrate(null, waits)).body.message).toBe('已在等待迁移')
    await sale.agent.serve({ ok: false, final: true, message: '关机超时', power: 'on' })
    while (await sale.agent.serve({ power: 'on' }));
    await sweep(sale.app.deps)
    const rows = (await sale.admin.get(`/hosts/${sale.host.id}/migrations`)).body.data
    expect(rows.find((one: { serverId: string }) => one.serverId === waits).migration).toMatchObject({
      stage: 'FAILED',
      reason: '快照不能随迁移带走，请先删除',
    })
    await askToMigrate()
    expect((await cancel()).status).toBe(200)
    expect(await stages()).toEqual(['FAILED', 'FAILED', 'FAILED'])
    expect(await faults()).toEqual([])
  })

  test.each([
    ['as it stops', off, []],
    ['as it is copied', copied, [off]],
  ] as const)(
    'called off too late for the act, %s, it goes no further, and is started where it was',
    async (_when, done, before) => {
      await migrate()
      for (const end of before) await sale.agent.serve(end)
      const job = await sale.agent.claim()
      expect((await cancel()).status).toBe(200)
      await sale.agent.finish(must(job), done)
      expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '管理员取消' })
      expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
      expect(await other.agent.claim()).toBeNull()
      expect(await faults()).toEqual([])
    },
  )

  test('called off too late, where it runs already, it has arrived: what was written there is kept', async () => {
    await saved()
    const job = await other.agent.claim()
    expect((await cancel()).status).toBe(200)
    await other.agent.finish(must(job), { power: 'on' })
    expect(await stage()).toBe('DONE')
    expect(await faults()).toEqual([])
  })

  test('called off in the middle it is started where it was; on its way back it cannot be', async () => {
    expect((await cancel()).status).toBe(404)
    await saved()
    const job = await other.agent.claim()
    expect((await cancel()).status).toBe(200)
    await other.agent.finish(job!, { ok: false, aborted: true, power: 'off' })
    expect(await stage()).toBe('RETURNING')
    expect((await cancel()).status).toBe(409)
    await other.agent.serve({ power: 'absent' })
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await faults()).toEqual([])
  })
})

describe('what fails', () => {
  test('a machine that does not stop stays, and is started again', async () => {
    await migrate()
    await sale.agent.serve({ ok: false, final: true, message: '关机超时', power: 'on' })
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '关机超时' })
    expect(await places()).toEqual({ here: 'held', there: 'freed' })
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await faults()).toEqual([])
  })

  test('a copy that does not come about leaves it where it is, started again', async () => {
    await migrate()
    await sale.agent.serve(off)
    await sale.agent.serve({ ok: false, final: true, message: '备份存储没有响应', power: 'off' })
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '备份存储没有响应' })
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await places()).toEqual({ here: 'held', there: 'freed' })
    expect(await faults()).toEqual([])
  })

  test('one whose addresses lead to the other host no more once it is copied does not go there', async () => {
    await migrate()
    await sale.agent.serve(off)
    await sale.app.db.deleteFrom('host_ip_pools').where('host_id', '=', other.id).execute()
    await sale.agent.serve(copied)
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '它的地址不再通到目标宿主机' })
    expect(await places()).toEqual({ here: 'held', there: 'freed' })
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await other.agent.claim()).toBeNull()
    expect(await faults()).toEqual([])
  })

  test.each(['DRAINING', 'MAINTENANCE'])(
    'one whose other host is taken out (%s) while it is copied does not go there, and is started where it was',
    async (status) => {
      await migrate()
      await sale.agent.serve(off)
      expect((await sale.admin.put(`/hosts/${other.id}/status`, { status })).status).toBe(200)
      expect((await sale.agent.serve(copied))?.payload.kind).toBe('backup')
      const reason = '目标宿主机已不再接收服务器'
      expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason })
      expect(await places()).toEqual({ here: 'held', there: 'freed' })
      expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
      expect(await other.agent.claim()).toBeNull()
      expect(await faults()).toEqual([])
    },
  )

  test('one whose other host is lost while it is copied is started where it was', async () => {
    await migrate()
    await sale.agent.serve(off)
    await sale.admin.put(`/hosts/${other.id}/status`, { status: 'LOST' })
    await sale.agent.serve(copied)
    await sweep(sale.app.deps)
    expect((await listed())?.migration?.stage).toBe('FAILED')
    expect(await places()).toEqual({ here: 'held', there: 'freed' })
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await faults()).toEqual([])
  })

  test('one that does not come up there is started where it was, once nothing of it is left there', async () => {
    const before = await view()
    await saved()
    await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'on' })
    expect(await places()).toEqual({ here: 'held', there: 'releasing' })
    expect(await sale.agent.claim()).toBeNull()
    expect(await faults()).toEqual([])
    expect((await other.agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '空间不足' })
    expect((await sale.agent.serve({ power: 'on' }))?.payload).toEqual({ kind: 'start' })
    expect((await view()).ipAddress).toBe(before.ipAddress)
    await seenEmpty(other.agent)
    expect(await places()).toEqual({ here: 'held', there: 'freed' })
    expect(await faults()).toEqual([])
    expect((await migrate()).status).toBe(200)
  })

  test('one that stayed obeys whatever is asked of it afterwards, and its new snapshots are shown', async () => {
    await saved()
    await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'on' })
    await other.agent.serve({ power: 'absent' })
    const started = await sale.agent.serve({ power: 'on' })
    await seenEmpty(other.agent)
    await sweep(sale.app.deps)
    const forgets = await sale.agent.serve({ power: 'on' })
    expect([started?.payload.kind, forgets?.payload.kind]).toEqual(['start', 'deleteBackup'])
    const at = `/server-management/${serverId}/snapshots`
    expect((await sale.lin.post(at, { name: 'a' })).status).toBe(200)
    const later = await sale.agent.serve({ power: 'on' })
    // A host refuses what is older than the newest that it was asked for.
    expect(later?.generation).toEqual(forgets?.generation)
    expect((await sale.lin.get(at)).body.data).toMatchObject([{ name: 'a', state: 'READY' }])
    expect(await faults()).toEqual([])
  })

  test('one whose host falls silent there is not started twice', async () => {
    await saved()
    await other.agent.claim()
    moment()
    for (let tries = 0; tries < 3; tries += 1) {
      await sale.app.db
        .updateTable('jobs')
        .set({ lease_until: new Date(0), run_at: new Date(0) })
        .where('status', '=', 'RUNNING')
        .execute()
      await sweep(sale.app.deps)
      await sale.app.db
        .updateTable('jobs')
        .set({ run_at: new Date(0) })
        .where('status', '=', 'QUEUED')
        .execute()
      await other.agent.claim()
    }
    expect(await places()).toEqual({ here: 'held', there: 'releasing' })
    expect(await stage()).toBe('RETURNING')
    expect(await sale.agent.claim()).toBeNull()
    await sale.admin.put(`/hosts/${other.id}/status`, { status: 'LOST' })
    await sweep(sale.app.deps)
    expect((await listed())?.migration?.stage).toBe('FAILED')
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await faults()).toEqual([])
  })

  test.each(['begun there', 'not begun there'])(
    'one whose other host is lost while it is brought back, %s, is started where it was, none of its lost servers, and its owner not told of a loss',
    async (how) => {
      await saved()
      const begun = how === 'begun there' ? await other.agent.claim() : null
      await sale.admin.put(`/hosts/${other.id}/status`, { status: 'LOST' })
      expect((await sale.mails()).filter(({ template }) => template === 'hostLost')).toEqual([])
      await sweep(sale.app.deps)
      expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '宿主机已宣告丢失' })
      expect(await places()).toEqual({ here: 'held', there: 'freed' })
      expect((await sale.agent.serve({ power: 'on' }))?.payload).toEqual({ kind: 'start' })
      const { content } = (await sale.admin.get('/findings?open=true')).body.data
      expect(content).toMatchObject([{ kind: 'failed-migration', serverId }])
      expect(await faults()).toEqual([])
      // Should it return, what it has of it goes.
      await sale.app.db.updateTable('hosts').set({ status: 'READY' }).where('id', '=', other.id).execute()
      if (begun) await other.agent.finish(begun, { ok: false, aborted: true, message: '已中止', power: 'on' })
      expect((await other.agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
      expect(await faults()).toEqual([])
    },
  )

  test('one that came up on the other host as that was declared lost is one of its lost servers, and its owner is told', async () => {
    await saved()
    const job = await other.agent.claim()
    await sale.admin.put(`/hosts/${other.id}/status`, { status: 'LOST' })
    await other.agent.finish(job!, { power: 'on' })
    expect((await listed(other.id))?.migration?.stage).toBe('DONE')
    const { content } = (await sale.admin.get('/findings?open=true')).body.data
    expect(content).toMatchObject([{ kind: 'lost-servers', hostId: other.id, details: { servers: 1 } }])
    expect((await sale.mails()).filter(({ template }) => template === 'hostLost')).toMatchObject([{ orderId }])
    expect(await faults()).toEqual([])
  })

  test('one called off before the other host began anything of it waits for no clean-up there', async () => {
    await saved()
    await cancel()
    await sweep(sale.app.deps)
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '管理员取消' })
    expect(await places()).toEqual({ here: 'held', there: 'freed' })
    expect(await other.agent.claim()).toBeNull()
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await faults()).toEqual([])
  })

  test('one that a silent host never began to bring back is started where it was after ten minutes', async () => {
    await saved()
    const heard = (minutes: number) => ({
      last_seen_at: sql<Date>`clock_timestamp() - make_interval(mins => ${minutes})`,
    })
    const away = (minutes: number) =>
      sale.app.db.updateTable('host_heartbeats').set(heard(minutes)).where('host_id', '=', other.id).execute()
    await away(9)
    await sweep(sale.app.deps)
    expect(await stage()).toBe('RESTORING')
    await away(11)
    await sweep(sale.app.deps)
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '宿主机失去联系' })
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await other.agent.claim()).toBeNull()
    expect(await faults()).toEqual([])
  })

  test('called off by staff before it began, it is started again', async () => {
    await migrate()
    const { id } = await sale.app.db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'stop')
      .executeTakeFirstOrThrow()
    expect((await sale.admin.post(`/jobs/${id}/cancel`)).status).toBe(200)
    await sweep(sale.app.deps)
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED' })
    expect((await sale.agent.claim())?.payload).toEqual({ kind: 'start' })
    expect(await faults()).toEqual([])
  })

  test('where its old host is lost before the copy is whole, it is one of that host’s lost servers', async () => {
    await migrate()
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    await sweep(sale.app.deps)
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '宿主机已宣告丢失' })
    expect(await places()).toEqual({ here: 'held', there: 'freed' })
    const elsewhere = await sale.admin.post(`/orders/${orderId}/evacuate`, {}, { key: randomUUID() })
    expect(elsewhere.status).toBe(200)
    expect(await faults()).toEqual([])
  })

  test('where its old host is lost afterwards, it arrives all the same', async () => {
    await saved()
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    await sweep(sale.app.deps)
    await other.agent.serve({ power: 'on' })
    expect((await listed(other.id))?.migration?.stage).toBe('DONE')
    expect(await places()).toEqual({ here: 'freed', there: 'held' })
    expect(await faults()).toEqual([])
  })

  test('where its old host is lost and it does not come up, it is one of that host’s lost servers, which its owner is told, too', async () => {
    await saved()
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    const told = async () => (await sale.admin.get('/findings?open=true')).body.data.content
    const mailed = async () => (await sale.mails()).filter(({ template }) => template === 'hostLost')
    expect([await told(), await mailed()]).toEqual([[], []])
    await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'off' })
    expect(await told()).toMatchObject([{ kind: 'lost-servers', hostId: sale.host.id, details: { servers: 1 } }])
    expect(await mailed()).toMatchObject([{ orderId }])
    // Something of it may still be at the other host.
    expect((await sale.admin.post(`/orders/${orderId}/evacuate`, {}, { key: randomUUID() })).body).toMatchObject({
      code: 'LOCKED',
      message: migratingNow,
    })
    await other.agent.serve({ power: 'absent' })
    expect([await told(), await faults()]).toMatchObject([[{ kind: 'lost-servers' }], []])
  })

  test('where its old host is lost while its copy is made, which is whole all the same, and it does not come up, its owner is told of one loss', async () => {
    const { app, admin, agent, host } = sale
    await migrate()
    await agent.serve(off)
    const job = await agent.claim()
    await admin.put(`/hosts/${host.id}/status`, { status: 'LOST' })
    const mailed = async () => (await sale.mails()).filter(({ template }) => template === 'hostLost')
    expect(await mailed()).toMatchObject([{ orderId }])
    app.advance(1000)
    await agent.finish(job!, copied)
    expect(await stage()).toBe('RESTORING')
    await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'off' })
    const told = (await admin.get('/findings?open=true')).body.data.content
    expect(told).toMatchObject([{ kind: 'lost-servers', hostId: host.id, details: { servers: 1 } }])
    expect(await mailed()).toMatchObject([{ orderId }])
    expect(await faults()).toEqual([])
  })

  test('where its old host is lost, it does not come up, and that host returns after its end, its owner has all the time to pay from then on', async () => {
    const { app, admin, agent, host } = sale
    await app.db.updateTable('orders').set({ auto_renewal: false }).execute()
    await saved()
    await admin.put(`/hosts/${host.id}/status`, { status: 'LOST' })
    await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'off' })
    await other.agent.serve({ power: 'absent' })
    await sale.toEnd(orderId, 5 * 86_400_000)
    await sweep(app.deps)
    const { token } = (await admin.post(`/hosts/${host.id}/enrolment`)).body.data
    const again = { ...agent.me, hostname: 'h', capacity, enrolmentToken: token, hostToken: host.token }
    await inTx(app.db, (tx) => enrolHost(tx, again, app.deps.now()))
    for (const _ of ['suspended', 'not ended']) await sweep(app.deps)
    expect([(await sale.order(orderId)).status, await faults()]).toEqual(['SUSPENDED', []])
    expect((await sale.lin.post(`/orders/${orderId}/renew`)).status).toBe(200)
  })

  test('called off between two tries of its copy, which was whole, that copy is kept where its old host is lost', async () => {
    await migrate()
    await sale.agent.serve(off)
    const { id: jobId, attempt } = must(await sale.agent.claim())
    const step = { name: 'backUp', label: 'backUp', status: 'done', startedAt: null, finishedAt: null } as const
    const result = { ok: false, message: '没有响应', detail: '', final: false, aborted: false, power: 'off' } as const
    const { me, caller } = sale.agent
    await caller.finish({ ...me, jobId, attempt, steps: [step], percentage: 90, result })
    expect((await cancel()).status).toBe(200)
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    await sweep(sale.app.deps)
    expect(await stage()).toBe('FAILED')
    expect((await sale.admin.get(`/hosts/${sale.host.id}/lost-orders`)).body.data).toMatchObject([{ backups: 1 }])
  })

  test('where its old host is lost and it does not come up, its copy is kept for whoever sets it up elsewhere', async () => {
    await saved()
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'off' })
    await other.agent.serve({ power: 'absent' })
    expect(await stage()).toBe('FAILED')
    await seenEmpty(other.agent)
    const [lost] = (await sale.admin.get(`/hosts/${sale.host.id}/lost-orders`)).body.data
    expect(lost).toMatchObject({ backups: 1 })
    expect((await sale.admin.post(`/orders/${orderId}/evacuate`, {}, { key: randomUUID() })).status).toBe(200)
    await other.agent.serve({ power: 'on' })
    const at = `/server-management/${serverId}/backups`
    const [kept] = (await sale.lin.get(at)).body.data.backups
    expect(kept).toMatchObject({ origin: 'MANUAL', state: 'READY' })
    expect(await view()).toMatchObject({ keptBackups: { own: true, elsewhere: false } })
    sale.app.advance(60_000)
    await sweep(sale.app.deps)
    expect((await sale.lin.post(`${at}/${kept.id}/restore`)).status).toBe(200)
    expect((await other.agent.claim())?.payload).toMatchObject({ kind: 'restore', backupId: kept.id })
    expect(await faults()).toEqual([])
  })
})

describe('an operator who left', () => {
  const told = async () => {
    const { content } = (await sale.admin.get('/findings?open=true')).body.data
    return content.map((one: { kind: string; serverId: string; hostId: string; details: object }) => [
      one.kind,
      one.serverId,
      one.hostId,
      one.details,
    ])
  }
  const failure = (reason: string) => [['failed-migration', serverId, sale.host.id, { reason }]]
  const stays = async () => {
    await migrate()
    await sale.agent.serve({ ok: false, final: true, message: '关机超时', power: 'on' })
  }

  test('learns of one that stayed, until it is asked for again', async () => {
    await stays()
    expect(await told()).toEqual(failure('关机超时'))
    sale.app.advance(11 * 60_000)
    await sweep(sale.app.deps)
    expect((await sale.alerts()).flatMap(({ begun }) => begun)).toMatchObject([
      { finding: 'failed-migration', subject: (await listed())?.serverName },
    ])
    await sale.agent.serve({ power: 'on' })
    await askToMigrate()
    expect(await told()).toEqual([])
  })

  test('learns of one that stays as its turn comes, and of one that came back', async () => {
    await askToMigrate()
    await sale.app.db.updateTable('backup_repositories').set({ is_current: false }).execute()
    await sweep(sale.app.deps)
    expect(await told()).toEqual(failure('迁移经由备份存储，请先在设置中填写'))
    await sale.app.db.updateTable('backup_repositories').set({ is_current: true }).execute()
    await saved()
    expect(await told()).toEqual([])
    await other.agent.serve({ ok: false, final: true, message: '空间不足', power: 'on' })
    await other.agent.serve({ power: 'absent' })
    expect(await told()).toEqual(failure('空间不足'))
  })

  test('is told of none that was called off, at any stage', async () => {
    await askToMigrate()
    await cancel()
    await migrate()
    const job = await sale.agent.claim()
    await cancel()
    await sale.agent.finish(job!, { ok: false, aborted: true, message: '已中止', power: 'on' })
    expect((await listed())?.migration).toMatchObject({ stage: 'FAILED', reason: '管理员取消' })
    await sale.agent.serve({ power: 'on' })
    await saved()
    await cancel()
    await sweep(sale.app.deps)
    await other.agent.serve({ power: 'absent' })
    expect(await told()).toEqual([])
  })

  test('is told of a lost host once, not of each that was to leave it', async () => {
    await askToMigrate()
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    await sweep(sale.app.deps)
    expect((await listed())?.migration?.stage).toBe('FAILED')
    expect((await told()).map(([kind]: string[]) => kind)).toEqual(['lost-servers'])
  })

  test('is told of none whose order has ended', async () => {
    await stays()
    await sale.lin.post(`/orders/${orderId}/refund`, { reason: '不再需要' })
    const { id } = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    await sale.admin.post(`/refunds/${id}/approve`, { reason: '同意' })
    expect(await told()).toEqual([])
  })
})

describe('as its owner and its order want', () => {
  test('what its owner turned off stays off', async () => {
    await sale.agent.report(serverId, 'off')
    await saved()
    await other.agent.serve({ power: 'on' })
    expect((await other.agent.claim())?.payload).toMatchObject({ kind: 'stop' })
  })

  const crash = () =>
    sale.app.db
      .insertInto('findings')
      .values({
        id: randomUUID(),
        host_id: sale.host.id,
        kind: 'crashed-domain',
        subject: serverId,
        details: '{}',
        first_seen_at: sale.app.deps.now(),
        last_seen_at: sale.app.deps.now(),
      })
      .execute()

  test('what crashed on its old host runs on the new one', async () => {
    await askToMigrate()
    await sale.agent.report(serverId, 'off')
    await crash()
    await inTx(sale.app.db, (tx) => beginWaiting(tx, serverId, sale.app.deps.now()))
    await sale.agent.serve(off)
    await sale.agent.serve(copied)
    await other.agent.serve({ power: 'on' })
    expect(await other.agent.claim()).toBeNull()
  })

  test('what could not be started on its old host runs on the new one', async () => {
    await sale.agent.report(serverId, 'off')
    await sale.lin.post('/server-management/action', { serverId, action: 'start' })
    await sale.agent.serve({ ok: false, final: true, message: '内存不足', power: 'off' })
    await saved()
    await other.agent.serve({ power: 'on' })
    expect(await other.agent.claim()).toBeNull()
  })

  test('what crashed is not told as restarted while it is on its way back', async () => {
    await saved()
    await other.agent.serve({ ok: false, final: true, power: 'on' })
    await sale.agent.report(serverId, 'off')
    await crash()
    await sweep(sale.app.deps)
    const restarts = sale.app.db.selectFrom('audit_log').select('id').where('action', '=', 'server.restart-crashed')
    expect(await restarts.execute()).toEqual([])
  })

  test('what was suspended meanwhile is turned off at its end', async () => {
    await saved()
    await sale.toEnd(orderId, 1000)
    await sale.app.db.updateTable('orders').set({ auto_renewal: false }).execute()
    await sweep(sale.app.deps)
    expect((await sale.order(orderId)).status).toBe('SUSPENDED')
    await other.agent.serve({ power: 'on' })
    expect((await other.agent.claim())?.payload).toMatchObject({ kind: 'stop' })
    expect(await faults()).toEqual([])
  })

  test('its firewall stands on its new host before it starts there, and is its host’s to keep', async () => {
    const at = `/server-management/${serverId}/firewall`
    const firewall = must(firewallTemplates[0]).made(22)
    expect((await sale.lin.put(at, { revision: 0, firewall })).status).toBe(200)
    await sale.agent.serve({ power: 'on' })
    await saved()
    const restore = await other.agent.claim()
    expect(restore?.payload).toMatchObject({ kind: 'restore', firewall: { revision: 1, firewall } })
    await other.agent.finish(restore!, { power: 'on' })
    expect((await other.agent.claim())?.payload).toMatchObject({ kind: 'applyFirewall', revision: 1, firewall })
  })
})

describe('it stays', () => {
  const refused = async () => {
    const answer = await migrate()
    return [answer.status, answer.body.message]
  }

  test('without a host that its addresses lead to', async () => {
    await sale.app.db.deleteFrom('host_ip_pools').where('host_id', '=', other.id).execute()
    expect(await refused()).toEqual([409, noHostToMigrateTo])
    expect((await sale.admin.get(`/servers/${serverId}/migration-hosts`)).body.data).toEqual([])
  })

  test('without a host that boots by UEFI, where its system does not boot otherwise', async () => {
    const { db } = sale.app
    await db.updateTable('images').set({ firmware: 'uefi' }).execute()
    await db.updateTable('hosts').set({ boots_uefi: true }).where('id', '=', sale.host.id).execute()
    expect((await sale.admin.get(`/servers/${serverId}/migration-hosts`)).body.data).toEqual([])
    expect(await refused()).toEqual([409, noHostToMigrateTo])
    await db.updateTable('hosts').set({ boots_uefi: true }).where('id', '=', other.id).execute()
    expect((await sale.admin.get(`/servers/${serverId}/migration-hosts`)).body.data).toMatchObject([{ id: other.id }])
    expect((await migrate()).status).toBe(200)
  })

  test('on a host that the other is not, where that is asked for', async () => {
    expect((await sale.admin.get(`/servers/${serverId}/migration-hosts`)).body.data).toMatchObject([{ id: other.id }])
    expect((await migrate(sale.host.id)).status).toBe(409)
    expect((await migrate(other.id)).status).toBe(200)
  })

  test('on a host that has yet to clean up what was there before it was lost', async () => {
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    expect((await sale.admin.post(`/orders/${orderId}/evacuate`, {}, { key: randomUUID() })).status).toBe(200)
    await other.agent.serve({ power: 'on' })
    await sale.app.db.updateTable('hosts').set({ status: 'READY' }).where('id', '=', sale.host.id).execute()
    expect(await refused()).toEqual([409, noHostToMigrateTo])
    expect((await sale.agent.serve({ power: 'absent' }))?.payload.kind).toBe('destroy')
    expect((await migrate()).status).toBe(200)
  })

  test('without somewhere to keep its disk', async () => {
    await sale.app.db.updateTable('backup_repositories').set({ is_current: false }).execute()
    expect(await refused()).toEqual([409, '迁移经由备份存储，请先在设置中填写'])
    expect((await listed())?.stays).toBe('迁移经由备份存储，请先在设置中填写')
  })

  test('while an upgrade makes it larger, and until one that failed has made it as it was', async () => {
    expect((await sale.lin.post(`/orders/${orderId}/upgrade`, { memoryGb: 8 })).status).toBe(200)
    expect(await refused()).toEqual([409, '订单正在升级'])
    await sale.agent.serve({ ok: false, final: true, message: '失败', power: 'off' })
    await sweep(sale.app.deps)
    expect(await sale.app.db.selectFrom('order_upgrades').select(['status', 'machine_larger']).execute()).toEqual([
      { status: 'REVERSED', machine_larger: true },
    ])
    expect(await refused()).toEqual([409, '订单正在升级'])
  })

  test('without a system, in rescue, and with a disc in its drive', async () => {
    const { db } = sale.app
    const set = (install_status: 'FAILED' | 'COMPLETED') =>
      db.updateTable('servers').set({ install_status }).where('id', '=', serverId).execute()
    await set('FAILED')
    expect(await refused()).toEqual([409, '系统未安装完成'])
    await set('COMPLETED')
    const { secret_id, image_id } = await db
      .selectFrom('servers')
      .select(['secret_id', 'image_id'])
      .where('id', '=', serverId)
      .executeTakeFirstOrThrow()
    const row = { id: randomUUID(), server_id: serverId, created_at: sale.app.deps.now() }
    await db
      .insertInto('rescues')
      .values({ ...row, secret_id: must(secret_id) })
      .execute()
    expect(await refused()).toEqual([409, '服务器处于救援模式，请先退出救援模式'])
    await db.deleteFrom('rescues').execute()
    await db
      .insertInto('inserted_isos')
      .values({ ...row, image_id: must(image_id), boots: false })
      .execute()
    expect(await refused()).toEqual([409, '光驱中有光盘，请先弹出光盘'])
    await db.deleteFrom('inserted_isos').execute()
    expect((await migrate()).status).toBe(200)
  })

  test('with snapshots, which would not come along', async () => {
    await sale.lin.post(`/server-management/${serverId}/snapshots`, { name: 'a' })
    await sale.agent.serve({ power: 'on' })
    expect(await refused()).toEqual([409, '快照不能随迁移带走，请先删除'])
  })
})
