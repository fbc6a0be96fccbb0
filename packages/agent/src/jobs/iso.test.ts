import { randomUUID } from 'node:crypto'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { install, password, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'

const jobs = setUpJobs()
const { run, killedAt, host, found, faults, logIn } = jobs
const disc = { ...machine().image, file: 'debian-12-netinst.iso', readiness: 'none' as const }
const stop: JobPayload = { kind: 'stop', force: true, graceSeconds: 0 }
const eject: JobPayload = { kind: 'ejectIso' }
let isoId: string
const insert = (boots: boolean, image = disc): JobPayload => ({ kind: 'insertIso', isoId, image, boots })
const as = (payload: JobPayload, options: Parameters<typeof run>[1] = {}) => run(payload, { secret: null, ...options })

beforeEach(async () => {
  isoId = randomUUID()
  expect((await run(install)).result).toMatchObject({ ok: true })
})

test('a disc that is only put in leaves the machine running, on or off, and comes out the same way', async () => {
  const { hypervisor, acts } = watch(host())
  expect((await as(insert(false), { hypervisor })).result).toEqual({ ok: true, power: 'on', proven: false })
  expect((await found()).iso).toEqual({ id: isoId, boots: false })
  expect((await as(eject, { hypervisor })).result).toEqual({ ok: true, power: 'on', proven: false })
  expect(acts).toEqual(['verifyImage', 'insertIso', 'ejectIso'])
  await logIn(password)
  await run(stop)
  expect((await as(insert(false))).result).toMatchObject({ ok: true, power: 'off' })
})

test('one that boots restarts the machine into it, and the disk boots again after it is out and a restart', async () => {
  const { hypervisor, acts } = watch(host())
  expect((await as(insert(true), { hypervisor })).result).toEqual({ ok: true, power: 'on', proven: false })
  expect(acts).toEqual(['verifyImage', 'insertIso', 'askShutdown', 'start', 'setAutostart'])
  await expect(logIn(password)).rejects.toThrow('the host key is another')
  expect((await as(eject)).result).toMatchObject({ ok: true, power: 'on' })
  expect((await found()).iso).toBeNull()
  await run({ kind: 'restart' })
  await logIn(password)
})

test('a machine that is off is started from it', async () => {
  await run(stop)
  expect((await as(insert(true))).result).toMatchObject({ ok: true, power: 'on' })
  expect(await found()).toMatchObject({ autostart: true, iso: { id: isoId, boots: true } })
})

test('a new definition leaves it in the drive; a reinstall takes it out', async () => {
  await as(insert(true))
  const iso = { isoId, file: disc.file, boots: true }
  expect((await run({ kind: 'redefine', machine: machine(), start: true, iso })).result).toMatchObject({ ok: true })
  expect((await found()).iso).toEqual({ id: isoId, boots: true })
  await run({ kind: 'reinstall', machine: machine() }, { generation: 2 })
  expect((await found()).iso).toBeNull()
  await jobs.expectInstalled(2, 2222, password)
})

test.each([
  ['whose image is not there', () => as(insert(true, { ...disc, file: 'no-such.iso' }))],
  ['that libvirt does not take', () => (faults({ verb: 'insertIso', kind: 'fail' }), as(insert(true)))],
  ['from which the machine does not start', () => (faults({ verb: 'start', kind: 'fail' }), as(insert(true)))],
  ['of which libvirt only said so', () => (faults({ verb: 'insertIso', kind: 'lie' }), as(insert(true)))],
])('a disc %s leaves the drive empty and the machine running from its disk', async (_name, attempt) => {
  expect((await attempt()).result).toMatchObject({ ok: false, power: 'on' })
  expect(await found()).toMatchObject({ power: 'on', autostart: true, iso: null })
})

test.each(['insertIso', 'start', 'setAutostart'] as const)(
  'a machine that was off is off again, its drive empty, where %s fails',
  async (verb) => {
    await run(stop)
    faults({ verb, kind: 'fail' })
    expect((await as(insert(true))).result).toMatchObject({ ok: false, power: 'off' })
    expect(await found()).toMatchObject({ power: 'off', autostart: false, iso: null })
  },
)

test('one whose image is not there never stops the machine', async () => {
  const { hypervisor, acts } = watch(host())
  await as(insert(true, { ...disc, file: 'no-such.iso' }), { hypervisor })
  expect(acts).toEqual(['verifyImage', 'ejectIso', 'start'])
  await logIn(password)
})

test('a machine that is not there gets none', async () => {
  await run({ kind: 'destroy' })
  expect((await as(insert(false))).result).toMatchObject({ ok: false, final: true, message: '服务器不存在' })
})

test('a machine that is not there has none in its drive: taking it out is done, and is not asked for for ever', async () => {
  await as(insert(false))
  await run({ kind: 'destroy' })
  expect((await as(eject)).result).toMatchObject({ ok: true, power: 'absent' })
})

test('one that was not taken out is found out', async () => {
  await as(insert(false))
  faults({ verb: 'ejectIso', kind: 'lie' })
  expect((await as(eject)).result).toHaveProperty('detail', expect.stringContaining('a disc in its drive'))
})

describe('an agent killed at an act is followed by one that brings the job to the same end', () => {
  const inserting: (keyof Hypervisor)[] = ['verifyImage', 'insertIso', 'askShutdown', 'start', 'setAutostart']
  const both = (verbs: (keyof Hypervisor)[]) =>
    verbs.flatMap((verb) => (['before', 'after'] as const).map((when) => [when, verb] as const))

  test.each(both(inserting))('into the drive, and booted: %s %s', async (when, verb) => {
    const earlier = await killedAt(insert(true), verb, when, { secret: null })
    expect((await as(insert(true), { earlier })).result).toMatchObject({ ok: true, power: 'on' })
    expect(await found()).toMatchObject({ autostart: true, iso: { id: isoId, boots: true } })
    await expect(logIn(password)).rejects.toThrow('the host key is another')
  })

  test.each(both(['ejectIso']))('out of it: %s %s', async (when, verb) => {
    await as(insert(true))
    const earlier = await killedAt(eject, verb, when, { secret: null })
    expect((await as(eject, { earlier })).result).toMatchObject({ ok: true, power: 'on' })
    expect((await found()).iso).toBeNull()
  })
})
