import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { increaseEpoch } from '../jobs/epoch.js'
import { must } from '../must.js'
import { sweep } from '../schedule/sweep.js'
import { stopUntilAllowed } from '../schedule/timers.js'
import { hostAgent } from '../testing/host.js'
import { openSale, type HostAgent, type Sale } from '../testing/sale.js'
import { addHost, sharePool } from '../testing/shop.js'

/** The database is of an earlier moment than its hosts: what it asked for then may have been done, and left behind, long ago. */

let sale: Sale
let other: { id: string; agent: HostAgent }
beforeEach(async () => {
  sale = await openSale({ yuan: 500, servers: 3, addresses: 10 })
  const host = await addHost(sale.app, sale.shop, { network: '10.9.1', servers: 3 })
  other = { id: host.id, agent: hostAgent(sale.app, host.token) }
  await sharePool(sale.app, sale.host.id, other.id)
})
afterEach(() => sale.app.close())

const restored = () =>
  inTx(sale.app.db, async (tx) => {
    await stopUntilAllowed(tx, sale.app.deps.now())
    await increaseEpoch(tx, sale.app.deps.now())
  })
const outdated = { ok: false, final: true, power: 'on', message: '任务已被更新的任务取代' } as const
const places = async (serverId: string) => {
  const rows = await sale.app.db
    .selectFrom('placements')
    .select(['host_id', 'state'])
    .where('server_id', '=', serverId)
    .execute()
  return Object.fromEntries(rows.map(({ host_id, state }) => [host_id === other.id ? 'there' : 'here', state]))
}

describe('a set-up that was under way', () => {
  let id: string
  /** Whichever of the two hosts got it. */
  const agents = () => [sale.agent, other.agent]
  async function takeInstall() {
    for (const agent of agents()) {
      const job = await agent.claim()
      if (job) return { agent, job }
    }
    throw new Error('nobody was asked')
  }
  beforeEach(async () => {
    id = await sale.buy()
  })

  test('and that its host takes for outdated is neither given back nor made anew elsewhere: its customer may use it', async () => {
    const { agent, job } = await takeInstall()
    await restored()
    await agent.finish(job, outdated)
    expect((await sale.orderRow(id)).status).toBe('PROCESSING')
    sale.app.advance(3600_000)
    await agent.finish(job, outdated)
    await sweep(sale.app.deps)
    expect((await sale.orderRow(id)).status).toBe('PROCESSING')
    expect(await sale.lin.balance()).toBe(470)
    for (const one of agents()) expect(await one.claim()).toBeNull()
  })

  test('and that its host has delivered long ago is its customer’s: the order is ACTIVE', async () => {
    const { agent, job } = await takeInstall()
    await restored()
    await agent.finish(job, { ...outdated, delivered: true })
    expect((await sale.orderRow(id)).status).toBe('ACTIVE')
    const view = (await sale.lin.get(`/server-management/${job.serverId}`)).body.data
    expect([view.installStatus, view.power]).toEqual(['COMPLETED', 'on'])
    expect(await sale.lin.balance()).toBe(470)
    expect(await agent.claim()).toBeNull()
  })

  test('and that its host has delivered long ago, and has no more, is left to an operator', async () => {
    const { agent, job } = await takeInstall()
    await restored()
    await agent.finish(job, { ...outdated, power: 'absent', delivered: true })
    expect((await sale.orderRow(id)).status).toBe('PROCESSING')
  })

  test('and that nobody has claimed yet waits for its host, which may have had it', async () => {
    await restored()
    sale.app.advance(10 * 60_000)
    await sweep(sale.app.deps)
    const jobs = await sale.app.db.selectFrom('jobs').select(['kind', 'status']).execute()
    expect(jobs).toEqual([{ kind: 'install', status: 'QUEUED' }])
  })
})

const off = { power: 'off' } as const
const copied = { power: 'off', backup: { diskBytes: 1, addedBytes: 1, hostKey: 'ssh-ed25519 AAAA' } } as const
const domain = (uuid: string, power: 'on' | 'off' = 'on', number = 1) => ({
  uuid,
  name: `vps-${uuid}`,
  power,
  generation: { epoch: 0, number },
  macs: [],
})

describe('a server that lives', () => {
  let orderId: string
  let serverId: string
  const migrate = async () => {
    const asked = await sale.admin.post(`/servers/${serverId}/migrate`, { hostId: null }, { key: randomUUID() })
    expect(asked.status).toBe(200)
    await sweep(sale.app.deps)
  }
  const stage = async () =>
    (await sale.app.db.selectFrom('cold_migrations').select('stage').executeTakeFirstOrThrow()).stage
  const findings = async () => {
    const { content } = (await sale.admin.get('/findings?size=100')).body.data
    return (content as { id: string; kind: string; serverId: string | null; hostId: string | null }[]).filter(
      (one) => one.serverId === serverId,
    )
  }
  beforeEach(async () => {
    await sale.admin.put('/backup-repository', { url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
    const setStatus = (status: 'MAINTENANCE' | 'READY') =>
      sale.app.db.updateTable('hosts').set({ status }).where('id', '=', other.id).execute()
    await setStatus('MAINTENANCE')
    orderId = await sale.buyActive()
    serverId = await sale.serverOf(orderId)
    await setStatus('READY')
    // Two machines, else a stray is taken for the living one of a host enrolled twice.
    await sale.app.db.updateTable('hosts').set({ machine_id: 'machine-2' }).where('id', '=', other.id).execute()
    other.agent.me.machineId = 'machine-2'
    await sale.agent.report(serverId, 'on')
  })
  const saved = async () => {
    await migrate()
    expect((await sale.agent.serve(off))?.payload.kind).toBe('stop')
    expect((await sale.agent.serve(copied))?.payload.kind).toBe('backup')
  }

  test('where it was migrated to, and was made anew since, is not destroyed there as its migration is refused as outdated', async () => {
    await saved()
    await restored()
    expect((await other.agent.serve(outdated))?.payload.kind).toBe('restore')
    await sweep(sale.app.deps)
    expect(await other.agent.claim()).toBeNull()
    expect(await sale.agent.claim()).toBeNull()
    expect(await stage()).toBe('FAILED')
    // What is left where it came from is a stray: it may be all that there is.
    expect(await places(serverId)).toEqual({ here: 'freed', there: 'held' })
    expect(await findings()).toMatchObject([{ kind: 'failed-migration', hostId: other.id }])
    await other.agent.inventory({ domains: [] })
    await sale.agent.inventory({ domains: [domain(serverId, 'off')] })
    expect(await findings()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'stray-domain', hostId: sale.host.id, cleanable: false, perhapsLast: true }),
        expect.objectContaining({ kind: 'missing-domain', hostId: other.id }),
      ]),
    )
  })

  test('where its migration had begun to turn it off stays where it has its place, and where it is', async () => {
    await migrate()
    await restored()
    expect((await sale.agent.serve({ ...outdated, power: 'absent' }))?.payload.kind).toBe('stop')
    expect(await places(serverId)).toEqual({ here: 'held', there: 'freed' })
    expect(await other.agent.claim()).toBeNull()
    await sale.agent.serve({ ok: false, final: true, power: 'absent', message: '服务器不存在' })
    await sale.agent.inventory({ domains: [] })
    await other.agent.inventory({ domains: [domain(serverId, 'on', 2)] })
    expect(await findings()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'stray-domain', hostId: other.id, cleanable: false, perhapsLast: true }),
      ]),
    )
  })

  test('where a clean-up was to be is told to operators as what it is, and not destroyed once that is refused as outdated', async () => {
    await saved()
    // Its way back had begun.
    await other.agent.serve({ ok: false, final: true, power: 'off' })
    expect(await places(serverId)).toEqual({ here: 'held', there: 'releasing' })
    await restored()
    expect(await other.agent.serve(outdated)).toMatchObject({ payload: { kind: 'destroy' }, generation: { epoch: 0 } })
    sale.app.advance(60 * 60_000)
    await sale.app.db
      .updateTable('placements')
      .set({ releasing_at: new Date(0) })
      .where('state', '=', 'releasing')
      .execute()
    await sweep(sale.app.deps)
    expect(await other.agent.claim()).toBeNull()
    expect(await places(serverId)).toEqual({ here: 'held', there: 'freed' })
    expect(await stage()).toBe('FAILED')
  })

  test('where a clean-up from before failed is cleaned up again with the word of then alone, and is left once it refuses', async () => {
    await saved()
    await other.agent.serve({ ok: false, final: true, power: 'off' })
    await other.agent.serve({ ok: false, final: true, power: 'off' })
    await restored()
    await sale.app.db
      .updateTable('placements')
      .set({ releasing_at: new Date(0) })
      .where('state', '=', 'releasing')
      .execute()
    await sale.app.db
      .updateTable('jobs')
      .set({ created_at: new Date(0) })
      .execute()
    await sweep(sale.app.deps)
    expect(await other.agent.serve(outdated)).toMatchObject({ payload: { kind: 'destroy' }, generation: { epoch: 0 } })
    expect(await places(serverId)).toEqual({ here: 'held', there: 'freed' })
  })

  test('elsewhere than the database says is not made anew where it is missing, beside the one that runs with its addresses', async () => {
    const body = { osName: 'Debian', osVersion: '12', rootPassword: 'Other-pass-1' }
    const reinstall = () => sale.lin.post(`/server-management/${serverId}/install`, body)
    await sale.agent.inventory({ domains: [] })
    await other.agent.inventory({ domains: [domain(serverId, 'on', 2)] })
    expect((await reinstall()).body).toMatchObject({
      code: 'NOT_SUPPORTED',
      message: '这台服务器正在另一台宿主机上运行，须由管理员先处理',
    })
    await other.agent.inventory({ domains: [domain(serverId, 'off', 2)] })
    expect((await reinstall()).status).toBe(200)
  })

  test('elsewhere than the database says is not defined anew where it is missing, nor made anew off a host that is lost', async () => {
    await sale.agent.inventory({ domains: [] })
    await other.agent.inventory({ domains: [domain(serverId, 'on', 2)] })
    const missing = must((await findings()).find(({ kind }) => kind === 'missing-domain'))
    const redefine = await sale.admin.post(`/findings/${missing.id}/redefine`)
    expect(redefine.body.message).toContain('正在另一台宿主机上运行')
    await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
    const evacuate = await sale.admin.post(`/orders/${orderId}/evacuate`)
    expect(evacuate.body.message).toContain('正在另一台宿主机上运行')
    expect(await other.agent.claim()).toBeNull()
  })

  test('is made anew where the host that told of it elsewhere was declared lost, too: nothing runs there', async () => {
    const body = { osName: 'Debian', osVersion: '12', rootPassword: 'Other-pass-1' }
    await sale.agent.inventory({ domains: [] })
    await other.agent.inventory({ domains: [domain(serverId, 'on', 2)] })
    await sale.admin.put(`/hosts/${other.id}/status`, { status: 'LOST' })
    expect((await sale.lin.post(`/server-management/${serverId}/install`, body)).status).toBe(200)
  })

  test('is not made anew as an operator tries an act of before once more', async () => {
    const body = { osName: 'Debian', osVersion: '12', rootPassword: 'Other-pass-1' }
    expect((await sale.lin.post(`/server-management/${serverId}/install`, body)).status).toBe(200)
    await restored()
    const job = await sale.agent.serve(outdated)
    expect(job?.payload.kind).toBe('reinstall')
    await sale.admin.post(`/jobs/${job?.id}/retry`, undefined, { key: randomUUID() })
    expect((await sale.agent.claim())?.generation).toEqual(job?.generation)
  })
})
