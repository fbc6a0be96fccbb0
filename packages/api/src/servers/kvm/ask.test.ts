import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MachineTerms } from '@vps/shared/servers'
import { inTx } from '../../db/tx.js'
import { everyRow } from '../../testing/rows.js'
import { openSale, type Sale } from '../../testing/sale.js'
import type { Act, Ask } from '../driver/driver.js'
import { askServer } from '../drivers.js'

let sale: Sale
let orderId: string
let serverId: string
beforeEach(async () => {
  sale = await openSale()
  orderId = await sale.buyActive()
  serverId = await sale.serverOf(orderId)
})
afterEach(() => sale.app.close())

const ask = (act: Act, more: Partial<Ask> = {}) =>
  inTx(sale.app.db, (tx) => askServer(tx, serverId, { act, orderId, ...more }, sale.app.deps.now()))
const jobOf = (id: string | null) =>
  sale.app.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const image = () => sale.app.db.selectFrom('images').selectAll().executeTakeFirstOrThrow()

describe('an act', () => {
  test.each<[string, Act, object]>([
    ['start', { kind: 'start' }, { kind: 'start' }],
    ['restart', { kind: 'restart' }, { kind: 'restart' }],
    ['stop', { kind: 'stop', force: false }, { kind: 'stop', force: false, graceSeconds: 60 }],
    ['stop at once', { kind: 'stop', force: true }, { kind: 'stop', force: true, graceSeconds: 0 }],
    ['suspend', { kind: 'suspend' }, { kind: 'stop', force: false, graceSeconds: 60, staysOff: true }],
    ['resume', { kind: 'resume' }, { kind: 'start' }],
    [
      'password',
      { kind: 'resetPassword', byRestart: false },
      { kind: 'resetPassword', username: 'root', byRestart: false },
    ],
    [
      'password by restart',
      { kind: 'resetPassword', byRestart: true },
      { kind: 'resetPassword', username: 'root', byRestart: true },
    ],
  ])('%s is one complete job for the host that has the machine', async (_, act, payload) => {
    const { id: secretId } = await sale.app.db.selectFrom('machine_secrets').select('id').executeTakeFirstOrThrow()
    const job = await jobOf(await ask(act, { askedBy: sale.lin.user.id, secretId }))
    const place = await sale.app.db.selectFrom('placements').selectAll().executeTakeFirstOrThrow()
    expect(job).toMatchObject({
      payload,
      status: 'QUEUED',
      server_id: serverId,
      host_id: sale.host.id,
      placement_id: place.id,
      order_id: orderId,
      generation: 1,
      secret_id: secretId,
      asked_by: sale.lin.user.id,
    })
    expect(JSON.stringify(job)).not.toContain('Secret-pass-1')
  })

  test('waits for nothing: while one is open the next is refused, but what the order’s life asks', async () => {
    const waiting = await ask({ kind: 'restart' })
    const before = await everyRow(sale.app)
    const system = await image()
    const acts: Act[] = [
      { kind: 'start' },
      { kind: 'restart' },
      { kind: 'stop', force: false },
      { kind: 'resetPassword', byRestart: false },
      { kind: 'reinstall', image: system, sshPort: null, sshKeys: [] },
    ]
    for (const act of acts) await expect(ask(act), act.kind).rejects.toMatchObject({ code: 'LOCKED' })
    expect(await everyRow(sale.app)).toBe(before)
    const resumed = await ask({ kind: 'resume' })
    expect((await jobOf(waiting)).status).toBe('SUPERSEDED')
    await ask({ kind: 'suspend' })
    expect((await jobOf(resumed)).status).toBe('SUPERSEDED')
  })

  test.each<[string, Act, boolean]>([
    ['cutting the power', { kind: 'stop', force: true }, true],
    ['a suspension', { kind: 'suspend' }, true],
    ['a resumption', { kind: 'resume' }, false],
  ])('that runs is asked to give way to %s where nobody waits for it', async (_, act, aborts) => {
    await ask({ kind: 'restart' })
    const running = (await sale.agent.claim())!
    await ask(act)
    expect(await jobOf(running.id)).toMatchObject({ status: 'RUNNING', abort_requested: aborts })
    expect(await sale.agent.claim()).toBeNull()
    await sale.agent.finish(running)
    expect((await sale.agent.claim())?.payload.kind).toBe(act.kind === 'resume' ? 'start' : 'stop')
  })

  test('on a machine that no host has is asked of nobody', async () => {
    await sale.app.db.updateTable('placements').set({ state: 'releasing', releasing_at: new Date() }).execute()
    const before = await everyRow(sale.app)
    for (const act of [{ kind: 'start' }, { kind: 'suspend' }, { kind: 'stop', force: true }] as const)
      expect(await ask(act)).toBeNull()
    expect(await everyRow(sale.app)).toBe(before)
  })
})

describe('a reinstall', () => {
  const reinstall = async (more: { sshPort?: number | null; sshKeys?: string[] } = {}) =>
    ask({ kind: 'reinstall', image: await image(), sshPort: null, sshKeys: [], ...more })
  const server = () =>
    sale.app.db.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()

  test('describes the machine as it is, in its own place, with its own addresses and its next generation', async () => {
    const install = await sale.app.db.selectFrom('jobs').select('payload').executeTakeFirstOrThrow()
    const job = await jobOf(await reinstall({ sshKeys: ['ssh-ed25519 AAAA'] }))
    const machine = (payload: object) => (payload as { machine: object }).machine
    expect(machine(job.payload)).toEqual({ ...machine(install.payload), sshKeys: ['ssh-ed25519 AAAA'] })
    expect([job.generation, (await server()).generation, (await server()).install_status]).toEqual([2, 2, 'INSTALLING'])
    const places = await sale.app.db.selectFrom('placements').select(['generation', 'state']).execute()
    expect(places).toEqual([{ generation: 2, state: 'held' }])
  })

  test('has the disk’s limits and the processor that its groups say by then; what is bought has those of the purchase', async () => {
    const termsOf = (payload: object) => {
      const { diskIops, diskMbPerSecond, cpuModel } = (payload as { machine: MachineTerms }).machine
      return { diskIops, diskMbPerSecond, cpuModel }
    }
    const first = await sale.app.db.selectFrom('jobs').select('payload').executeTakeFirstOrThrow()
    expect(termsOf(first.payload)).toEqual({ diskIops: 0, diskMbPerSecond: 0, cpuModel: null })
    await sale.app.db.updateTable('price_groups').set({ disk_iops: 2000, disk_mb_per_second: 150 }).execute()
    await sale.app.db.updateTable('server_groups').set({ cpu_model: 'EPYC-Rome' }).execute()
    const terms = { diskIops: 2000, diskMbPerSecond: 150, cpuModel: 'EPYC-Rome' }
    expect(termsOf((await jobOf(await reinstall())).payload)).toEqual(terms)
    await sale.agent.serve()
    const bought = await sale.serverOf(await sale.buyActive())
    const install = await sale.app.db
      .selectFrom('jobs')
      .select('payload')
      .where('server_id', '=', bought)
      .executeTakeFirstOrThrow()
    expect(termsOf(install.payload)).toEqual(terms)
  })

  test('keeps the port where none is asked for, and takes the new one only once it is done', async () => {
    const job = await jobOf(await reinstall({ sshPort: 2345 }))
    expect(job.payload).toMatchObject({ machine: { sshPort: 2345 } })
    expect((await server()).ssh_port).toBe(2222)
    await sale.agent.serve()
    expect(await server()).toMatchObject({ ssh_port: 2345, install_status: 'COMPLETED' })
    expect((await jobOf(await reinstall())).payload).toMatchObject({ machine: { sshPort: 2345 } })
  })

  test('that fails says so, and leaves what was known of system, port and password', async () => {
    const before = await server()
    await reinstall({ sshPort: 2345 })
    await sale.agent.serve({ ok: false, final: true, power: 'off' })
    expect(await server()).toMatchObject({
      install_status: 'FAILED',
      power: 'off',
      ssh_port: before.ssh_port,
      secret_id: before.secret_id,
      image_id: before.image_id,
    })
    expect((await sale.orderRow(orderId)).status).toBe('ACTIVE')
  })

  test('is refused on a disk that is too small and where the host lacks the image, with nothing changed', async () => {
    const system = await image()
    const send = (change: object) =>
      ask({ kind: 'reinstall', image: { ...system, ...change }, sshPort: null, sshKeys: [] })
    const before = await everyRow(sale.app)
    await expect(send({ min_disk_gb: 41 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Debian 12 至少需要 41 GB 存储',
    })
    await expect(send({ file: 'debian-13.qcow2' })).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      message: '服务器所在的宿主机暂时没有可用的该系统镜像，请稍后再试或选择其他系统',
    })
    expect(await everyRow(sale.app)).toBe(before)
    await send({ min_disk_gb: 40 })
  })
})
