import type { JobPayload } from '@vps/shared/jobs.contract'
import { describe, expect, test } from 'vitest'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { install, setUpJobs, watch } from '../testing/jobs.js'
import { Stopped } from './stopped.js'

const jobs = setUpJobs()
const { run, host, found, faults } = jobs
const larger = { kind: 'resize', cpuCores: 4, memoryMb: 2048, diskGb: 9 } as const
const before = { cpuCores: 1, memoryMb: 512 }

test('a machine is shut down, changed and started again', async () => {
  await run(install)
  const { hypervisor, acts } = watch(host())
  expect((await run(larger, { hypervisor })).result).toMatchObject({ ok: true, power: 'on' })
  expect(acts).toEqual(['askShutdown', 'resize', 'start', 'setAutostart'])
})

test('a machine that has its size already is left in peace', async () => {
  await run(install)
  await run(larger)
  const { hypervisor, acts } = watch(host())
  expect((await run(larger, { hypervisor })).result).toMatchObject({ ok: true, power: 'on' })
  expect(acts).toEqual([])
})

test.each<[number | undefined, number]>([
  [undefined, 50],
  [0, 0],
  [200, 200],
])('a bandwidth of %s makes it %i: none said is none changed, 0 is no limit', async (bandwidthMbps, told) => {
  const payload: JobPayload = { ...install, kind: 'install', machine: { ...machineOf(install), bandwidthMbps: 50 } }
  await run(payload)
  await run({ ...larger, ...(bandwidthMbps === undefined ? {} : { bandwidthMbps }) })
  const [domain] = (await host().inventory()).domains
  expect(domain?.bandwidthMbps).toEqual({ inbound: told, outbound: told })
})

test('more bandwidth alone is given, too', async () => {
  const machine = { ...machineOf(install), bandwidthMbps: 50 }
  await run({ ...install, kind: 'install', machine })
  const { cpuCores, memoryMb, diskGb } = machine
  const { result } = await run({ kind: 'resize', cpuCores, memoryMb, diskGb, bandwidthMbps: 100 })
  expect(result).toMatchObject({ ok: true, power: 'on' })
  const [domain] = (await host().inventory()).domains
  expect(domain?.bandwidthMbps).toEqual({ inbound: 100, outbound: 100 })
})

test('taking back brings the bandwidth back and touches no disk', async () => {
  await run(install)
  faults({ verb: 'start', kind: 'fail' })
  const real = host()
  const asked: unknown[] = []
  const { hypervisor } = watch(real, {
    resize: async (id, size) => {
      asked.push(size)
      await real.resize(id, size)
    },
  })
  const { result } = await run({ ...larger, bandwidthMbps: 100 }, { hypervisor })
  expect(result).toMatchObject({ ok: false, size: before })
  expect(asked.at(-1)).toEqual({ ...before, diskGb: 2, bandwidthMbps: 0 })
  expect(await found()).toMatchObject({
    size: { ...before, diskGb: 9 },
    bandwidthMbps: { inbound: 0, outbound: 0 },
  })
})

test('a resize that failed before anything was changed cuts no power', async () => {
  await run(install)
  const stop = new AbortController()
  const { hypervisor, acts } = watch(host(), { askShutdown: async () => stop.abort(new Stopped('abort')) })
  const { result } = await run(larger, { hypervisor, signal: stop.signal })
  expect(result).toMatchObject({ ok: false, aborted: true, power: 'on', size: before })
  expect(acts).toEqual(['askShutdown', 'start'])
})

test('a machine that its owner had stopped stays off when its resize is taken back', async () => {
  await run(install)
  await run({ kind: 'stop', force: true, graceSeconds: 0 })
  faults({ verb: 'resize', kind: 'lose' })
  expect((await run(larger)).result).toMatchObject({ ok: false, power: 'off', size: before })
})

test('a machine that vanished in between has nothing to be taken back', async () => {
  await run(install)
  const real = host()
  const { hypervisor, acts } = watch(real, {
    resize: async (id) => {
      await real.remove(id)
      throw new Error('no such domain')
    },
  })
  expect((await run(larger, { hypervisor })).result).toMatchObject({ ok: false, power: 'absent' })
  expect(acts).toEqual(['askShutdown', 'resize'])
})

const more = {
  kind: 'resize' as const,
  cpuCores: 1,
  memoryMb: 512,
  diskGb: 2,
  network: {
    mac: '52:54:00:77:00:02',
    addresses: ['10.77.0.2', '10.77.0.3'].map((address) => ({ address, prefix: 24 })),
    prefixes: [],
    added: ['10.77.0.3'],
  },
} satisfies JobPayload
const [first, second] = ['10.77.0.2', '10.77.0.3']

describe('more addresses', () => {
  test('alone are let through and told to the guest, which answers there, without a restart', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host())
    const { result } = await run(more, { hypervisor })
    expect(acts).toEqual(['admitAddresses', 'takeAddresses', 'testConnection'])
    expect(result).toMatchObject({
      ok: true,
      admitted: [first, second],
      inGuest: { taken: [second], answered: [second] },
    })
  })

  test('beside a larger size come with its one restart', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host())
    const { result } = await run({ ...more, cpuCores: 2 }, { hypervisor })
    expect(acts).toEqual([
      'askShutdown',
      'resize',
      'admitAddresses',
      'start',
      'setAutostart',
      'takeAddresses',
      'testConnection',
    ])
    expect(result).toMatchObject({ ok: true, size: { cpuCores: 2 }, inGuest: { taken: [second] } })
  })

  test.each<[string, Partial<Hypervisor>]>([
    ['nobody answers', { takeAddresses: async () => false }],
    ['what was asked failed', { takeAddresses: () => Promise.reject(new Error('no such command')) }],
  ])('are the owner’s to add where %s in the guest: the job is done', async (_, otherwise) => {
    await run(install)
    const { result } = await run(more, { hypervisor: watch(host(), otherwise).hypervisor })
    expect(result).toMatchObject({
      ok: true,
      admitted: [first, second],
      inGuest: { taken: [], answered: [] },
    })
  })

  test('of a machine that is off are let through from its next start on', async () => {
    await run(install)
    await run({ kind: 'stop', force: true, graceSeconds: 0 })
    const { result } = await run(more)
    expect(result).toMatchObject({ ok: true, power: 'off', admitted: [first, second], inGuest: { taken: [] } })
  })

  test('that could not be let through are so no more, and the failure tells it', async () => {
    await run(install)
    faults({ verb: 'admitAddresses', kind: 'lose' })
    expect((await run(more)).result).toMatchObject({ ok: false, admitted: [first], size: before })
    expect((await found()).addresses).toEqual([first])
  })

  test('that a hypervisor took without doing it are not believed', async () => {
    await run(install)
    faults({ verb: 'admitAddresses', kind: 'lie' })
    expect((await run(more)).result).toMatchObject({ ok: false, detail: expect.stringContaining('check failed') })
  })
})

function machineOf(payload: JobPayload) {
  if (payload.kind !== 'install') throw new Error('an install was meant')
  return payload.machine
}
