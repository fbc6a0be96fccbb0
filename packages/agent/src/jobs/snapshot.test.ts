import { randomUUID } from 'node:crypto'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { install, password, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'

const jobs = setUpJobs()
const { run, killedAt, host, found, faults, logIn } = jobs
const later = 'Set-Later-2'
const reset: JobPayload = { kind: 'resetPassword', username: 'root', byRestart: false }
const stop: JobPayload = { kind: 'stop', force: true, graceSeconds: 0 }
let snapshotId: string
const take = (): JobPayload => ({ kind: 'snapshot', snapshotId })
const revert = (): JobPayload => ({ kind: 'revert', snapshotId })
const remove = (): JobPayload => ({ kind: 'deleteSnapshot', snapshotId })

beforeEach(async () => {
  snapshotId = randomUUID()
  expect((await run(install)).result).toMatchObject({ ok: true })
})

async function takenThenChanged(): Promise<void> {
  await run(take())
  await run(reset, { secret: later })
}

test('a snapshot leaves the machine running, and is taken once', async () => {
  expect((await run(take())).result).toEqual({ ok: true, power: 'on', proven: false })
  const { hypervisor, acts } = watch(host())
  expect((await run(take(), { hypervisor })).result).toMatchObject({ ok: true })
  expect(acts).toEqual(['thaw'])
  expect((await found()).snapshots).toEqual([snapshotId])
})

test('of a machine that is off, it leaves it off', async () => {
  await run(stop)
  expect((await run(take())).result).toMatchObject({ ok: true, power: 'off' })
})

test('a revert brings back what was there, and proves a login with the password of that time', async () => {
  await takenThenChanged()
  const { result, steps } = await run(revert(), { secret: password })
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  expect(steps.map(({ name, status }) => [name, status])).toEqual(
    ['cutPower', 'revertDisk', 'startMachine', 'awaitBoot', 'proveLogin'].map((name) => [name, 'done']),
  )
  await logIn(password)
})

test('a machine whose owner had stopped it is taken back and stays off', async () => {
  await takenThenChanged()
  await run(stop)
  const { hypervisor, acts } = watch(host())
  expect((await run(revert(), { hypervisor })).result).toEqual({ ok: true, power: 'off', proven: false })
  expect(acts).toEqual(['revertTo'])
})

test('a revert that fails leaves the machine running over its disk, and off where its owner had stopped it', async () => {
  await takenThenChanged()
  faults({ verb: 'revertTo', kind: 'fail' })
  expect((await run(revert())).result).toMatchObject({ ok: false, power: 'on' })
  await logIn(later)
  await run(stop)
  faults({ verb: 'revertTo', kind: 'fail' })
  expect((await run(revert())).result).toMatchObject({ ok: false, power: 'off' })
})

test('a login that does not come about leaves a revert successful and unproven', async () => {
  await takenThenChanged()
  expect((await run(revert(), { secret: 'Changed-In-The-Guest' })).result).toMatchObject({ ok: true, proven: false })
  expect((await run(revert(), { secret: null })).result).toMatchObject({ ok: true, proven: false })
})

test('without its snapshot nothing is taken back, for good, and the machine is not touched', async () => {
  const { hypervisor, acts } = watch(host())
  const { result } = await run(revert(), { hypervisor })
  expect(result).toMatchObject({ ok: false, final: true, message: '快照已不存在', power: 'on' })
  expect(acts).toEqual([])
})

test('one that is gone already is deleted', async () => {
  expect((await run(remove())).result).toMatchObject({ ok: true, power: 'on' })
})

test('a snapshot that failed leaves none behind', async () => {
  faults({ verb: 'takeSnapshot', kind: 'lose' })
  expect((await run(take())).result).toMatchObject({ ok: false, final: false })
  expect((await found()).snapshots).toEqual([])
})

test.each([
  ['takeSnapshot', take, 'the snapshot is not there'],
  ['deleteSnapshot', remove, 'the snapshot is still there'],
  ['revertTo', revert, 'the disk was not taken back'],
] as const)('a hypervisor that lies about %s is found out', async (verb, payload, problem) => {
  if (verb !== 'takeSnapshot') await run(take())
  faults({ verb, kind: 'lie' })
  expect((await run(payload())).result).toMatchObject({ ok: false, detail: expect.stringContaining(problem) })
})

test('what was written after a revert outlives the same job handed out again', async () => {
  await takenThenChanged()
  const jobId = randomUUID()
  await run(revert(), { secret: password, jobId })
  await run(reset, { secret: 'After-The-Revert-3' })
  const { hypervisor, acts } = watch(host())
  expect((await run(revert(), { secret: password, jobId, hypervisor })).result).toMatchObject({ ok: true })
  expect(acts).not.toContain('revertTo')
  await logIn('After-The-Revert-3')
})

test('a resize and a password reset leave snapshots; a reinstall takes them with its disk', async () => {
  await run(take())
  await run({ kind: 'resize', cpuCores: 2, memoryMb: 1024, diskGb: 3 })
  expect(await found()).toMatchObject({ snapshots: [snapshotId], size: { diskGb: 3 } })
  await run({ kind: 'reinstall', machine: machine() }, { generation: 2 })
  expect((await found()).snapshots).toEqual([])
})

describe('an agent killed at an act is followed by one that brings the job to the same end', () => {
  const payloads = { snapshot: take, revert, deleteSnapshot: remove }
  const verbs: [keyof typeof payloads, (keyof Hypervisor)[]][] = [
    ['snapshot', ['takeSnapshot', 'thaw']],
    ['revert', ['cutPower', 'revertTo', 'start', 'setAutostart', 'awaitBoot', 'tryLogin']],
    ['deleteSnapshot', ['deleteSnapshot']],
  ]
  const cases = verbs.flatMap(([kind, all]) =>
    all.flatMap((verb) => (['before', 'after'] as const).map((when) => [kind, when, verb] as const)),
  )
  test.each(cases)('%s: %s %s', async (kind, when, verb) => {
    if (kind !== 'snapshot') await takenThenChanged()
    const payload = payloads[kind]()
    const jobId = randomUUID()
    const earlier = await killedAt(payload, verb, when, { jobId })
    expect((await run(payload, { earlier, jobId })).result).toMatchObject({ ok: true, power: 'on' })
    expect((await found()).snapshots).toEqual(kind === 'deleteSnapshot' ? [] : [snapshotId])
    await logIn(kind === 'deleteSnapshot' ? later : password)
  })
})
