import { fen } from '@vps/shared/money'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweep } from '../../schedule/sweep.js'
import type { TestApp } from '../../testing/app.js'
import { call, type Person } from '../../testing/people.js'
import { openSale, type HostAgent, type Sale } from '../../testing/sale.js'

let sale: Sale
let app: TestApp
let lin: Person
let agent: HostAgent
let serverId: string
let at: string
beforeEach(async () => {
  sale = await openSale({ yuan: 500, servers: 3 })
  ;({ app, lin, agent } = sale)
  await app.db
    .updateTable('price_groups')
    .set({ snapshots: 2, most_backups: 5, backup_rate_fen: fen(300) })
    .execute()
  const repository = { url: '/srv/backups', password: 'Keeps-them-1', version: 0 }
  expect((await sale.admin.put('/backup-repository', repository)).status).toBe(200)
  serverId = await sale.serverOf(await sale.buyActive({ backups: 2 }))
  at = `/server-management/${serverId}`
})
afterEach(() => app.close())

const stop = () => lin.post('/server-management/action', { serverId, action: 'stop', force: true })
const resetTo = (newPassword: string) =>
  lin.post('/server-management/action', { serverId, action: 'resetPassword', newPassword })
const password = async () => (await lin.get(`${at}/password`)).body.data.password
const details = async () => (await lin.get(at)).body.data
const snapshots = async () => (await lin.get(`${at}/snapshots`)).body.data

async function taken(): Promise<string> {
  await lin.post(`${at}/snapshots`, { name: '更新前' })
  await agent.serve()
  return (await snapshots())[0].id
}

async function backedUp(): Promise<string> {
  await lin.post(`${at}/backups`, {})
  await agent.serve({ power: 'on', backup: { diskBytes: 40 * 1024 ** 3, addedBytes: 1, hostKey: null } })
  return (await lin.get(`${at}/backups`)).body.data.backups[0].id
}

/** The job's agent tells that these steps were done when it was told to stop. */
async function stopAfter(job: ClaimedJob, ...done: string[]): Promise<void> {
  expect((await stop()).status).toBe(200)
  await endWith(job, done, { ok: false, aborted: true, message: '操作已中止' })
  await agent.serve({ power: 'off' })
}

async function addImage(file: string): Promise<void> {
  const { images } = await app.db.selectFrom('hosts').select('images').executeTakeFirstOrThrow()
  await app.db
    .updateTable('hosts')
    .set({ images: [...images, file] })
    .execute()
}

const stepsDone = (done: string[]) =>
  done.map((name) => ({ name, label: name, status: 'done' as const, startedAt: null, finishedAt: null }))

/** Its beats told of these steps, then nothing came any more. */
async function loseAfter(job: ClaimedJob, ...done: string[]): Promise<void> {
  const { id: jobId, attempt } = job
  await agent.caller.beat({ ...agent.me, jobId, attempt, steps: stepsDone(done), percentage: 60 })
  await app.db
    .updateTable('jobs')
    .set({ lease_until: sql`clock_timestamp() - interval '1 second'` })
    .where('id', '=', jobId)
    .execute()
  await sweep(app.deps)
}

async function endWith(job: ClaimedJob, done: string[], end: object): Promise<void> {
  const steps = stepsDone(done)
  const result = {
    ok: false,
    message: '没有响应',
    detail: '',
    final: true,
    aborted: false,
    power: 'on',
    ...end,
  } as const
  await agent.caller.finish({ ...agent.me, jobId: job.id, attempt: job.attempt, steps, percentage: 60, result })
}

describe('what a broken-off act had done before is told as it is', () => {
  test('a disk that was taken back has the password of its snapshot', async () => {
    const id = await taken()
    await resetTo('Changed-later-2')
    await agent.serve()
    await lin.post(`${at}/snapshots/${id}/revert`)
    await stopAfter((await agent.claim())!, 'cutPower', 'revertDisk', 'startMachine')
    expect(await password()).toBe('Secret-pass-1')
  })

  test('a disk that was not yet taken back keeps its password', async () => {
    const id = await taken()
    await resetTo('Changed-later-2')
    await agent.serve()
    await lin.post(`${at}/snapshots/${id}/revert`)
    await stopAfter((await agent.claim())!, 'cutPower')
    expect(await password()).toBe('Changed-later-2')
  })

  test('a disk that was taken back by a try after which the next one never came has it, too', async () => {
    const id = await taken()
    await resetTo('Changed-later-2')
    await agent.serve()
    await lin.post(`${at}/snapshots/${id}/revert`)
    await endWith((await agent.claim())!, ['cutPower', 'revertDisk'], { final: false })
    expect(await password()).toBe('Changed-later-2')
    await stop()
    expect(await password()).toBe('Secret-pass-1')
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
  })

  test('a disk that was taken back by a try before an operator called the next one off has it, too', async () => {
    const id = await taken()
    await resetTo('Changed-later-2')
    await agent.serve()
    await lin.post(`${at}/snapshots/${id}/revert`)
    const job = (await agent.claim())!
    await endWith(job, ['cutPower', 'revertDisk'], { final: false })
    expect(await password()).toBe('Changed-later-2')
    expect((await sale.admin.post(`/jobs/${job.id}/cancel`)).status).toBe(200)
    expect(await password()).toBe('Secret-pass-1')
    expect(await agent.claim()).toBeNull()
  })

  test('a disk that was taken back by a try that an operator took over, as its machine was to be stopped, has it, too', async () => {
    const id = await taken()
    await resetTo('Changed-later-2')
    await agent.serve()
    await lin.post(`${at}/snapshots/${id}/revert`)
    const job = (await agent.claim())!
    const steps = stepsDone(['cutPower', 'revertDisk'])
    await agent.caller.beat({ ...agent.me, jobId: job.id, attempt: job.attempt, steps, percentage: 60 })
    await stop()
    expect((await sale.admin.post(`/jobs/${job.id}/adopt`)).status).toBe(200)
    expect(await password()).toBe('Secret-pass-1')
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
  })

  test('a backup in the place of the disk has its password, and none of the snapshots that went with the disk', async () => {
    const id = await backedUp()
    await taken()
    await resetTo('Changed-later-2')
    await agent.serve()
    await lin.post(`${at}/backups/${id}/restore`)
    await stopAfter((await agent.claim())!, 'restoreDisk', 'cutPower', 'defineMachine', 'removeOthers')
    expect(await password()).toBe('Secret-pass-1')
    expect(await snapshots()).toEqual([])
  })

  test('another server’s backup that could not become this server leaves no system that is told as whole', async () => {
    const id = await backedUp()
    const other = await sale.serverOf(await sale.buyActive())
    const shown = async () => (await lin.get(`/server-management/${other}`)).body.data.installStatus
    const bring = async (...done: string[]) => {
      await lin.post(`/server-management/${other}/backups/${id}/restore`)
      await endWith((await agent.claim())!, done, {})
    }
    await bring('restoreDisk', 'cutPower')
    expect(await shown()).toBe('COMPLETED')
    await bring('restoreDisk', 'cutPower', 'removeOthers', 'createSeed', 'defineMachine', 'startMachine')
    expect(await shown()).toBe('FAILED')
  })

  test('a password that lies in the drive since its agent was lost is told: the guest takes it with its next start', async () => {
    const newPassword = 'Changed-later-2'
    const reset = { serverId, action: 'resetPassword', newPassword, byRestart: true }
    await lin.post('/server-management/action', reset)
    await loseAfter((await agent.claim())!, 'stopMachine', 'insertPassword')
    await stop()
    await agent.serve({ power: 'off' })
    expect(await password()).toBe(newPassword)
  })

  test('a password that the guest took is the one that is told', async () => {
    await resetTo('Changed-later-2')
    await stopAfter((await agent.claim())!, 'setPassword')
    expect(await password()).toBe('Changed-later-2')
  })
})

describe('a backup that was broken off', () => {
  const backups = async () => (await lin.get(`${at}/backups`)).body.data.backups
  const breakOffAfter = async (...done: string[]) => {
    await lin.post(`${at}/backups`, {})
    const job = (await agent.claim())!
    await resetTo('Changed-later-2')
    await endWith(job, done, { aborted: true, message: '操作已中止' })
    await agent.serve()
    return job
  }

  test('once all of it was kept is one, with the password of then', async () => {
    await breakOffAfter('takeSnapshot', 'thaw', 'backUp')
    const [{ id, state }] = await backups()
    expect(state).toBe('READY')
    await lin.post(`${at}/backups/${id}/restore`)
    expect((await agent.claim())?.secrets).toEqual({ password: 'Secret-pass-1' })
  })

  test.each(['restart', 'snapshot', 'redefine', 'upgrade'])(
    'once all of it was kept is one, too, where %s took the place of its next try',
    async (act) => {
      await agent.inventory() // without its domain
      await lin.post(`${at}/backups`, {})
      await endWith((await agent.claim())!, ['takeSnapshot', 'thaw', 'backUp'], { final: false })
      expect(await backups()).toMatchObject([{ state: 'QUEUED' }])
      expect((await take(act)).status).toBe(200)
      expect(await backups()).toMatchObject([{ state: 'READY' }])
    },
  )

  async function take(act: string) {
    if (act === 'restart') return lin.post('/server-management/action', { serverId, action: 'restart' })
    if (act === 'snapshot') return lin.post(`${at}/snapshots`, { name: '更新前' })
    if (act === 'upgrade') return lin.post(`/orders/${(await details()).orderId}/upgrade`, { memoryGb: 8 })
    const [{ id }] = (await sale.admin.get('/findings')).body.data.content
    return sale.admin.post(`/findings/${id}/redefine`)
  }

  test('before that is none', async () => {
    await breakOffAfter('takeSnapshot', 'thaw')
    expect(await backups()).toMatchObject([{ state: 'FAILED' }])
  })

  test('once all of it was kept is not tried again: its copy would pass for one of the next hour', async () => {
    // Half a day from now: the next one is not due meanwhile.
    const hour = (app.deps.now().getUTCHours() + 20) % 24
    await lin.put(`${at}/backup-schedule`, { schedule: { frequency: 'daily', hour } })
    await app.db.updateTable('backup_schedules').set({ next_at: app.deps.now() }).execute()
    await agent.report(serverId, 'on')
    await sweep(app.deps)
    const job = (await agent.claim())!
    expect(job.payload.kind).toBe('backup')
    await stopAfter(job, 'takeSnapshot', 'thaw', 'backUp')
    app.advance(61 * 60_000)
    await agent.report(serverId, 'off')
    await sweep(app.deps)
    expect(await agent.claim()).toBeNull()
    expect(await backups()).toMatchObject([{ origin: 'SCHEDULE', state: 'READY' }])
  })
})

describe('a machine in rescue', () => {
  beforeEach(async () => {
    const image = { osName: '救援系统', osVersion: '1', file: 'rescue.qcow2', kind: 'rescue', minDiskGb: 4 }
    expect((await sale.admin.post('/images', image)).status).toBe(200)
    await addImage(image.file)
    await lin.post(`${at}/rescue`)
    await agent.serve()
    expect((await details()).rescue.since).not.toBeNull()
  })

  test('whose asking another act took the place of leaves nothing: its password would be kept for ever', async () => {
    await call(app, 'DELETE', `${at}/rescue`, { token: lin.token })
    await agent.serve()
    await lin.post(`${at}/rescue`)
    await stop()
    expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('stop')
    expect(await app.db.selectFrom('rescues').select('id').execute()).toEqual([])
  })

  test('whose asking an operator called off leaves nothing: it could not be migrated, as if it were in rescue', async () => {
    await call(app, 'DELETE', `${at}/rescue`, { token: lin.token })
    await agent.serve()
    const { jobId } = (await lin.post(`${at}/rescue`)).body.data
    expect((await sale.admin.post(`/jobs/${jobId}/cancel`)).status).toBe(200)
    expect(await app.db.selectFrom('rescues').select('id').execute()).toEqual([])
  })

  test('into which it went before its agent was lost is told as one, with its way in and out', async () => {
    await call(app, 'DELETE', `${at}/rescue`, { token: lin.token })
    await agent.serve()
    await lin.post(`${at}/rescue`)
    await loseAfter((await agent.claim())!, 'createRescue', 'stopMachine', 'enterRescue', 'startMachine')
    await stop()
    await agent.serve({ power: 'off' })
    expect((await details()).rescue.since).not.toBeNull()
    expect((await lin.get(`${at}/rescue/password`)).status).toBe(200)
    await call(app, 'DELETE', `${at}/rescue`, { token: lin.token })
    expect((await agent.serve())?.payload.kind).toBe('leaveRescue')
    expect((await details()).rescue.since).toBeNull()
  })

  test('is told to have left it once its own disk is back, though it did not come up', async () => {
    await call(app, 'DELETE', `${at}/rescue`, { token: lin.token })
    await stopAfter((await agent.claim())!, 'stopMachine', 'leaveRescue', 'startMachine')
    expect((await details()).rescue.since).toBeNull()
  })

  test('is told to be in none once a reinstall that failed had made its disk anew', async () => {
    const wish = { osName: 'Debian', osVersion: '12', rootPassword: 'Another-pass-2' }
    const reinstall = () => lin.post('/server-management/action', { serverId, action: 'reinstall', ...wish })
    await reinstall()
    await endWith((await agent.claim())!, ['verifyImage'], {})
    expect((await details()).rescue.since).not.toBeNull()
    await reinstall()
    await endWith((await agent.claim())!, ['verifyImage', 'createDisk', 'createSeed', 'defineMachine'], {})
    expect((await details()).rescue.since).toBeNull()
  })
})

test('a disc that came into the drive before its agent was lost is told, and can be ejected', async () => {
  const disc = { osName: '光盘', osVersion: '1', file: 'disc.iso', kind: 'iso', minDiskGb: 4 }
  expect((await sale.admin.post('/images', disc)).status).toBe(200)
  await addImage(disc.file)
  const [{ id: imageId }] = (await lin.get(`${at}/isos`)).body.data
  await lin.post(`${at}/iso`, { imageId, boots: true })
  await loseAfter((await agent.claim())!, 'verifyImage', 'insertIso')
  await stop()
  await agent.serve({ power: 'off' })
  expect((await details()).iso.inserted).not.toBeNull()
  await call(app, 'DELETE', `${at}/iso`, { token: lin.token })
  expect((await agent.serve({ power: 'off' }))?.payload.kind).toBe('ejectIso')
  expect((await details()).iso.inserted).toBeNull()
})

test('a disc whose insertion an operator called off is in no drive', async () => {
  const disc = { osName: '光盘', osVersion: '1', file: 'disc.iso', kind: 'iso', minDiskGb: 4 }
  expect((await sale.admin.post('/images', disc)).status).toBe(200)
  await addImage(disc.file)
  const [{ id: imageId }] = (await lin.get(`${at}/isos`)).body.data
  const { jobId } = (await lin.post(`${at}/iso`, { imageId, boots: true })).body.data
  expect((await sale.admin.post(`/jobs/${jobId}/cancel`)).status).toBe(200)
  expect(await app.db.selectFrom('inserted_isos').select('id').execute()).toEqual([])
})
