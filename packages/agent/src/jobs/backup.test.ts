import { randomUUID } from 'node:crypto'
import type { backupKinds } from '@vps/shared/jobs'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { firewallTemplates } from '@vps/shared/firewall'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { install, password, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'
import { Stopped } from './stopped.js'

const jobs = setUpJobs()
const { run, killedAt, host, found, faults, logIn, memory } = jobs
const later = 'Set-Later-2'
const reset: JobPayload = { kind: 'resetPassword', username: 'root', byRestart: false }
const stop: JobPayload = { kind: 'stop', force: true, graceSeconds: 0 }
let backupId: string
let hostKey: string
const take = (): JobPayload => ({ kind: 'backup', backupId })
const restore = (): JobPayload => ({ kind: 'restore', backupId, machine: machine(), hostKey })
const check = (...backupIds: string[]): JobPayload => ({
  kind: 'checkBackups',
  repositoryId: randomUUID(),
  backupIds,
  part: 1,
  parts: 16,
})
const ofHere = 'Of-This-Server-3'
const elsewhere = (): JobPayload => ({
  kind: 'restore',
  backupId,
  machine: machine(),
  hostKey: null,
  from: jobs.serverId,
})
const remove = (): JobPayload => ({ kind: 'deleteBackup', backupId })

beforeEach(async () => {
  backupId = randomUUID()
  expect((await run(install)).result).toMatchObject({ ok: true })
  hostKey = (await memory().hostKeyOf(jobs.serverId, { epoch: 1, number: 1 })) ?? ''
})

async function takenThenChanged(): Promise<void> {
  expect((await run(take())).result).toMatchObject({ ok: true })
  await run(reset, { secret: later })
}

test('a backup tells its size and its guest, and how far it is by its bytes', async () => {
  const { result, told } = await run(take())
  const backup = { diskBytes: expect.any(Number), addedBytes: expect.any(Number), hostKey, isMovable: true }
  expect(result).toEqual({ ok: true, power: 'on', proven: false, backup })
  expect(told.map(({ percentage }) => percentage)).toEqual([0, 0, 4, 6, 28, 51, 73, 96, 100])
})

describe('brought back with its firewall', () => {
  const firewall = firewallTemplates[0]!.made(22)
  const guarded = (revision = 3): JobPayload => ({
    kind: 'restore',
    backupId,
    machine: machine(),
    hostKey,
    firewall: { revision, firewall },
  })

  test('it never runs without it', async () => {
    await run(take())
    const { hypervisor, acts } = watch(host())
    expect((await run(guarded(), { generation: 2, hypervisor })).result).toMatchObject({ ok: true })
    expect(acts.filter((act) => ['define', 'applyFirewall', 'start'].includes(act))).toEqual([
      'define',
      'applyFirewall',
      'start',
    ])
    expect((await found()).firewall).toBe(3)
  })

  test('killed before that, it is applied all the same', async () => {
    await run(take())
    const earlier = await killedAt(guarded(), 'applyFirewall', 'before', { generation: 2 })
    expect((await found()).power).not.toBe('on')
    expect((await run(guarded(), { generation: 2, earlier })).result).toMatchObject({ ok: true })
    expect((await found()).firewall).toBe(3)
  })

  test('a host that cannot apply it does not start it', async () => {
    await run(take())
    faults({ verb: 'applyFirewall', kind: 'fail' })
    expect((await run(guarded(), { generation: 2 })).result).toMatchObject({ ok: false })
    expect((await found()).firewall).toBeNull()
  })
})

test('made once; the same job handed out again does not read the disk again', async () => {
  await run(take())
  expect((await run(take())).result).toMatchObject({ ok: true, backup: { addedBytes: null, hostKey } })
})

test('one that was broken off long ago is begun anew: what is kept is of the moment that is told', async () => {
  await killedAt(take(), 'backUp', 'before', { jobId: randomUUID() })
  expect((await found()).snapshots).toEqual([backupId])
  const real = host()
  const there: string[][] = []
  const { hypervisor } = watch(real, {
    takeSnapshot: async (id, name) => {
      there.push((await real.find(id)).snapshots)
      await real.takeSnapshot(id, name)
    },
  })
  expect((await run(take(), { jobId: randomUUID(), hypervisor })).result).toMatchObject({ ok: true })
  expect(there).toEqual([[]])
})

test('one that was whole when its agent was killed keeps the moment at which its disk was fixed', async () => {
  const jobId = randomUUID()
  const earlier = await killedAt(take(), 'deleteSnapshot', 'before', { jobId })
  const { steps } = await run(take(), { jobId, earlier })
  expect(steps[0]).toEqual(earlier[0])
})

test('one that was broken off for good leaves nothing in the disk once it is deleted', async () => {
  await killedAt(take(), 'backUp', 'before', { jobId: randomUUID() })
  expect((await run(remove())).result).toMatchObject({ ok: true, power: 'on' })
  expect((await found()).snapshots).toEqual([])
})

test('of a machine that is off, it leaves it off; of none there is no backup, for good', async () => {
  await run(stop)
  expect((await run(take())).result).toMatchObject({ ok: true, power: 'off', backup: { isMovable: null } })
  await run({ kind: 'destroy' })
  expect((await run(take())).result).toMatchObject({ ok: false, final: true, message: '服务器不存在' })
})

test('while another system than the disk’s may run, a rescue or one from a disc, nobody knows what the disk’s could', async () => {
  const told = async () => (await run(take())).result
  const enter: JobPayload = { kind: 'enterRescue', rescueId: randomUUID(), machine: machine() }
  expect((await run(enter)).result).toMatchObject({ ok: true })
  expect(await told()).toMatchObject({ backup: { isMovable: null } })
  await run({ kind: 'leaveRescue', start: true })
  const { image } = machine()
  backupId = randomUUID()
  await run({ kind: 'insertIso', isoId: randomUUID(), image, boots: true })
  expect(await told()).toMatchObject({ backup: { isMovable: null } })
  await run({ kind: 'ejectIso' })
  backupId = randomUUID()
  await run({ kind: 'insertIso', isoId: randomUUID(), image, boots: false })
  expect(await told()).toMatchObject({ backup: { isMovable: true } })
})

test('one that is told to end ends, as aborted', async () => {
  const work = new AbortController()
  const real = host()
  const hypervisor: Hypervisor = {
    ...real,
    backUp: (id, place, copying) =>
      real.backUp(id, place, { ...copying, tell: async () => work.abort(new Stopped('abort')) }),
  }
  const { result } = await run(take(), { hypervisor, signal: work.signal })
  expect(result).toMatchObject({ ok: false, aborted: true, power: 'on' })
  expect((await run(restore(), { generation: 2 })).result).toMatchObject({ ok: false, message: '备份已不存在' })
})

test('a restore brings back what was there as the next generation, and proves a login with the password of then', async () => {
  await takenThenChanged()
  const { result, steps } = await run(restore(), { generation: 2, secret: password })
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  expect(steps.map(({ name, status }) => [name, status])).toEqual(
    ['restoreDisk', 'cutPower', 'defineMachine', 'removeOthers', 'startMachine', 'awaitBoot', 'proveLogin'].map(
      (name) => [name, 'done'],
    ),
  )
  await jobs.expectInstalled(2, machine().sshPort, password)
})

test('a backup outlives a reinstall and the machine, and is brought back after either', async () => {
  await takenThenChanged()
  await run({ kind: 'reinstall', machine: machine() }, { generation: 2, secret: later })
  expect((await run(restore(), { generation: 3, secret: password })).result).toMatchObject({ ok: true, proven: true })
  await run({ kind: 'destroy' }, { generation: 4 })
  expect((await run(restore(), { generation: 5, secret: password })).result).toMatchObject({ ok: true, proven: true })
})

test('a login that does not come about leaves a restore successful and unproven', async () => {
  await takenThenChanged()
  const { result } = await run(restore(), { generation: 2, secret: 'Changed-In-The-Guest' })
  expect(result).toMatchObject({ ok: true, proven: false })
})

test('of another server it becomes this one: its disk, with the password and a host key of here, proven', async () => {
  await takenThenChanged()
  const { result, steps } = await run(elsewhere(), { generation: 2, secret: ofHere })
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  expect(steps.map(({ name }) => name)).toEqual([
    'restoreDisk',
    'cutPower',
    'removeOthers',
    'createSeed',
    'defineMachine',
    'startMachine',
    'takeIdentity',
    'awaitBoot',
    'proveLogin',
    'removeSeed',
  ])
  await jobs.expectInstalled(2, machine().sshPort, ofHere)
  expect(await memory().hostKeyOf(jobs.serverId, { epoch: 1, number: 2 })).not.toBe(hostKey)
})

test('of another server, what fails before its disk has come leaves the machine as it was; no proof is no success', async () => {
  await takenThenChanged()
  const { hypervisor, acts } = watch(host())
  const lost = { ...elsewhere(), backupId: randomUUID() }
  const { result } = await run(lost, { generation: 2, hypervisor })
  expect(result).toMatchObject({ ok: false, final: true, message: '备份已不存在', power: 'on' })
  expect(acts).not.toContain('cutPower')
  faults({ verb: 'takeIdentity', kind: 'fail' })
  expect((await run(elsewhere(), { generation: 3, secret: ofHere })).result).toMatchObject({ ok: false })
  expect((await run(elsewhere(), { generation: 3, secret: ofHere })).result).toMatchObject({ ok: true, proven: true })
})

test('of another server, what fails once the old disk is gone keeps the one that has come', async () => {
  await takenThenChanged()
  faults({ verb: 'define', kind: 'fail' })
  expect((await run(elsewhere(), { generation: 2, secret: ofHere })).result).toMatchObject({ ok: false })
  expect((await found()).disks).toEqual([{ epoch: 1, number: 2 }])
})

test('a restore that cannot have its backup touches nothing: the machine runs on over its own disk', async () => {
  const { hypervisor, acts } = watch(host())
  const { result } = await run(restore(), { generation: 2, hypervisor })
  expect(result).toMatchObject({ ok: false, final: true, message: '备份已不存在', power: 'on' })
  expect(acts).not.toContain('cutPower')
  await jobs.expectInstalled(1, machine().sshPort, password)
})

test('one that fails once the power is cut starts the machine again over the disk that it has', async () => {
  await takenThenChanged()
  faults({ verb: 'define', kind: 'fail' })
  expect((await run(restore(), { generation: 2 })).result).toMatchObject({ ok: false, power: 'on' })
  expect(await found()).toMatchObject({ definedBy: { number: 1 }, disks: [{ epoch: 1, number: 1 }] })
})

test('one that fails once its disk has come leaves no second disk behind', async () => {
  await takenThenChanged()
  faults({ verb: 'cutPower', kind: 'fail' })
  expect((await run(restore(), { generation: 2 })).result).toMatchObject({ ok: false, power: 'on' })
  expect(await found()).toMatchObject({ definedBy: { number: 1 }, disks: [{ epoch: 1, number: 1 }] })
})

test('one that is told to end once the machine is defined over its disk leaves no second disk behind', async () => {
  await takenThenChanged()
  const work = new AbortController()
  const real = host()
  const hypervisor: Hypervisor = {
    ...real,
    define: async (...machine) => {
      await real.define(...machine)
      work.abort(new Stopped('abort'))
    },
  }
  const { result } = await run(restore(), { generation: 2, hypervisor, signal: work.signal })
  expect(result).toMatchObject({ ok: false, aborted: true })
  expect(await found()).toMatchObject({ definedBy: { number: 2 }, disks: [{ epoch: 1, number: 2 }] })
})

test('one that was deleted is gone, and is deleted again without a word, even where its machine is gone', async () => {
  await run(take())
  expect((await run(remove())).result).toMatchObject({ ok: true, power: 'on' })
  await run({ kind: 'destroy' })
  expect((await run(remove())).result).toMatchObject({ ok: true, power: 'absent' })
  expect((await run(restore(), { generation: 2 })).result).toMatchObject({ ok: false, message: '备份已不存在' })
})

test('a check tells what it found, and has failed only where it could not look', async () => {
  await run(take())
  expect((await run(check(backupId))).result).toMatchObject({ ok: true, check: { isWhole: true, detail: '' } })
  const lost = randomUUID()
  const { result } = await run(check(backupId, lost))
  expect(result).toMatchObject({ ok: true, power: 'on', check: { isWhole: false } })
  faults({ verb: 'checkBackups', kind: 'fail' })
  expect((await run(check(backupId))).result).toMatchObject({ ok: false, final: false, power: 'on' })
})

test('a check that is told to end ends at once, as aborted', async () => {
  await run(take())
  const work = new AbortController()
  const real = host()
  const hypervisor: Hypervisor = {
    ...real,
    checkBackups: (id, what, signal) => {
      work.abort(new Stopped('abort'))
      return real.checkBackups(id, what, signal)
    },
  }
  const { result } = await run(check(backupId), { hypervisor, signal: work.signal })
  expect(result).toMatchObject({ ok: false, aborted: true, power: 'on' })
})

test('a deletion that is told to end ends at once, as aborted: its owner’s act waits for no store', async () => {
  await run(take())
  const work = new AbortController()
  const real = host()
  const hypervisor: Hypervisor = {
    ...real,
    deleteBackup: (id, place, signal) => {
      work.abort(new Stopped('abort'))
      return real.deleteBackup(id, place, signal)
    },
  }
  const { result } = await run(remove(), { hypervisor, signal: work.signal })
  expect(result).toMatchObject({ ok: false, aborted: true, power: 'on' })
})

describe('an agent killed while another server’s backup becomes this one', () => {
  const verbs = ['restoreDisk', 'cutPower', 'removeOthers', 'createSeed', 'define', 'start', 'setAutostart'] as const
  const cases = [...verbs, 'takeIdentity', 'awaitBoot', 'tryLogin', 'removeSeed'] as const
  test.each(cases.flatMap((verb) => (['before', 'after'] as const).map((when) => [when, verb] as const)))(
    '%s %s: the next brings it to the same end',
    async (when, verb) => {
      await takenThenChanged()
      const options = { jobId: randomUUID(), generation: 2, secret: ofHere }
      const earlier = await killedAt(elsewhere(), verb, when, options)
      expect((await run(elsewhere(), { ...options, earlier })).result).toMatchObject({ ok: true, proven: true })
      await jobs.expectInstalled(2, machine().sshPort, ofHere)
    },
  )
})

describe('an agent killed at an act is followed by one that brings the job to the same end', () => {
  const verbs: [(typeof backupKinds)[number] | 'checkBackups', (keyof Hypervisor)[]][] = [
    ['backup', ['takeSnapshot', 'thaw', 'backUp', 'deleteSnapshot']],
    [
      'restore',
      ['restoreDisk', 'cutPower', 'define', 'removeOthers', 'start', 'setAutostart', 'awaitBoot', 'tryLogin'],
    ],
    ['deleteBackup', ['deleteBackup']],
    ['checkBackups', ['checkBackups']],
  ]
  const cases = verbs.flatMap(([kind, all]) =>
    all.flatMap((verb) => (['before', 'after'] as const).map((when) => [kind, when, verb] as const)),
  )
  test.each(cases)('%s: %s %s', async (kind, when, verb) => {
    if (kind !== 'backup') await takenThenChanged()
    const payload = { backup: take, restore, deleteBackup: remove, checkBackups: () => check(backupId) }[kind]()
    const options = { jobId: randomUUID(), generation: kind === 'restore' ? 2 : 1, secret: password }
    const earlier = await killedAt(payload, verb, when, options)
    expect((await run(payload, { ...options, earlier })).result).toMatchObject({ ok: true, power: 'on' })
    if (kind === 'restore') await jobs.expectInstalled(2, machine().sshPort, password)
    else await logIn(kind === 'backup' ? password : later)
    expect((await found()).snapshots).toEqual([])
  })
})
