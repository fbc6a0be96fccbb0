import { randomUUID } from 'node:crypto'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { install, password, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'

const jobs = setUpJobs()
const { run, killedAt, host, found, faults, logIn, memory } = jobs
const once = 'One-Time-Pass-4'
const stop: JobPayload = { kind: 'stop', force: true, graceSeconds: 0 }
const leave: JobPayload = { kind: 'leaveRescue', start: true }
let rescueId: string
const enter = (change: Parameters<typeof machine>[0] = {}): JobPayload => ({
  kind: 'enterRescue',
  rescueId,
  machine: machine(change),
})
const intoRescue = () => run(enter(), { secret: once })

beforeEach(async () => {
  rescueId = randomUUID()
  expect((await run(install)).result).toMatchObject({ ok: true })
})

async function logInToRescue(): Promise<void> {
  const hostKey = await memory().rescueKeyOf(jobs.serverId, rescueId)
  await host().tryLogin(jobs.serverId, (await found()).access!, once, hostKey!)
}

test('a machine goes into rescue by a proven login with the one-time password, and comes back by one with its own', async () => {
  expect((await intoRescue()).result).toEqual({ ok: true, power: 'on', proven: true })
  expect(await found()).toMatchObject({ power: 'on', rescueId, rescues: [rescueId], seeds: [] })
  await logInToRescue()
  expect((await run(leave)).result).toEqual({ ok: true, power: 'on', proven: true })
  expect(await found()).toMatchObject({ power: 'on', autostart: true, rescueId: null, rescues: [] })
  await logIn(password)
})

test('one that is off goes into rescue, too, and one that is in it stays so when stopped, started and restarted', async () => {
  await run(stop)
  expect((await intoRescue()).result).toMatchObject({ ok: true, power: 'on' })
  await run(stop)
  await run({ kind: 'start' })
  await run({ kind: 'restart' })
  expect(await found()).toMatchObject({ power: 'on', rescueId })
  await logInToRescue()
})

test('a new definition leaves it in its rescue', async () => {
  await intoRescue()
  expect((await run({ kind: 'redefine', machine: machine(), start: true, rescueId })).result).toMatchObject({
    ok: true,
  })
  expect((await found()).rescueId).toBe(rescueId)
})

test('leaving that fails leaves it running in its rescue; for a suspension it stays off', async () => {
  await intoRescue()
  faults({ verb: 'leaveRescue', kind: 'fail' })
  expect((await run(leave)).result).toMatchObject({ ok: false, power: 'on' })
  await logInToRescue()
  faults({ verb: 'leaveRescue', kind: 'fail' })
  expect((await run({ kind: 'leaveRescue', start: false })).result).toMatchObject({ ok: false, power: 'off' })
})

test('a reinstall ends it, and leaves nothing of it', async () => {
  await intoRescue()
  await run({ kind: 'reinstall', machine: machine() }, { generation: 2 })
  expect(await found()).toMatchObject({ rescueId: null, rescues: [] })
  await jobs.expectInstalled(2, 2222, password)
})

test('a system that does not answer after leaving leaves it left, and unproven', async () => {
  await intoRescue()
  faults({ verb: 'awaitBoot', kind: 'hang' })
  const { result } = await run(leave, { secret: 'Broken-Since-1', limits: { stillMs: 20 } })
  expect(result).toEqual({ ok: true, power: 'on', proven: false })
  expect((await found()).rescueId).toBeNull()
})

test('whoever must not use it any more is taken out of rescue, and off', async () => {
  await intoRescue()
  expect((await run({ kind: 'leaveRescue', start: false })).result).toMatchObject({ ok: true, power: 'off' })
  expect(await found()).toMatchObject({ power: 'off', autostart: false, rescueId: null, rescues: [] })
})

test.each([
  ['an image that is not there', () => run(enter({ image: noImage }), { secret: once })],
  ['a rescue system that does not boot', () => (faults({ verb: 'awaitBoot', kind: 'fail' }), intoRescue())],
  ['a login that does not come about', () => (faults({ verb: 'tryLogin', kind: 'fail', times: 1000 }), intoRescue())],
])('%s leaves the machine as it was, running on its own disk', async (_name, attempt) => {
  expect((await attempt()).result).toMatchObject({ ok: false, power: 'on' })
  expect(await found()).toMatchObject({ power: 'on', autostart: true, rescueId: null, rescues: [] })
  faults()
  await logIn(password)
})

test('one whose image is not there never stops the machine', async () => {
  const { hypervisor, acts } = watch(host())
  await run(enter({ image: noImage }), { secret: once, hypervisor })
  expect(acts).toEqual(['verifyImage', 'leaveRescue', 'start'])
})

const noImage = { ...machine().image, file: 'no-such.qcow2' }

describe('an agent killed at an act is followed by one that brings the job to the same end', () => {
  const entering: (keyof Hypervisor)[] = [
    'verifyImage',
    'createRescue',
    'askShutdown',
    'enterRescue',
    'start',
    'setAutostart',
    'awaitBoot',
    'tryLogin',
    'removeSeed',
  ]
  const leaving: (keyof Hypervisor)[] = ['askShutdown', 'leaveRescue', 'start', 'setAutostart', 'awaitBoot', 'tryLogin']
  const both = (verbs: (keyof Hypervisor)[]) =>
    verbs.flatMap((verb) => (['before', 'after'] as const).map((when) => [when, verb] as const))

  test.each(both(entering))('into rescue: %s %s', async (when, verb) => {
    const earlier = await killedAt(enter(), verb, when, { secret: once })
    expect((await run(enter(), { earlier, secret: once })).result).toMatchObject({
      ok: true,
      power: 'on',
      proven: true,
    })
    expect(await found()).toMatchObject({ rescueId, rescues: [rescueId], seeds: [] })
    await logInToRescue()
  })

  test.each(both(leaving))('out of it: %s %s', async (when, verb) => {
    await intoRescue()
    const earlier = await killedAt(leave, verb, when)
    expect((await run(leave, { earlier })).result).toMatchObject({ ok: true, power: 'on', proven: true })
    expect(await found()).toMatchObject({ rescueId: null, rescues: [], autostart: true })
  })
})
