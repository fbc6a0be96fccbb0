import { randomUUID } from 'node:crypto'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { expect, test } from 'vitest'
import { install, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'

const jobs = setUpJobs()
const { run, host, found, faults } = jobs
const destroy: JobPayload = { kind: 'destroy' }

test('a machine that runs loses its power first and then everything', async () => {
  await run(install)
  const { hypervisor, acts } = watch(host())
  expect((await run(destroy, { hypervisor })).result).toEqual({ ok: true, power: 'absent', proven: false })
  expect(acts).toEqual(['cutPower', 'remove', 'removeFirewall'])
})

test('one of which nobody knows whether it runs loses its power, too', async () => {
  await run(install)
  const real = host()
  let looks = 0
  const { hypervisor, acts } = watch(real, {
    find: async (id) => {
      looks += 1
      return { ...(await real.find(id)), ...(looks === 1 ? { power: 'unknown' as const } : {}) }
    },
  })
  expect((await run(destroy, { hypervisor })).result).toMatchObject({ ok: true, power: 'absent' })
  expect(acts[0]).toBe('cutPower')
})

test('where nothing is, nothing is done', async () => {
  const { hypervisor, acts } = watch(host())
  expect((await run(destroy, { hypervisor })).result).toMatchObject({ ok: true, power: 'absent' })
  expect(acts).toEqual([])
})

test('a disk that was left behind is removed though there is no machine any more', async () => {
  await run(install)
  faults({ verb: 'remove', kind: 'half' })
  expect((await run(destroy)).result).toMatchObject({ ok: false, final: false })
  expect(await found()).toMatchObject({ power: 'absent', disks: [{ epoch: 1, number: 1 }] })
  expect((await run(destroy)).result).toMatchObject({ ok: true, power: 'absent' })
  expect(await host().inventory()).toMatchObject({ domains: [], volumes: [] })
})

test('a removal that only claims to have been done is found out', async () => {
  await run(install)
  faults({ verb: 'remove', kind: 'lie' })
  expect((await run(destroy)).result).toHaveProperty('detail', expect.stringContaining('still there'))
})

test('what belongs to another server stays', async () => {
  await run(install)
  const neighbour = randomUUID()
  const real = host()
  await real.createDisk(neighbour, machine(), { epoch: 1, number: 1 })
  await real.define(neighbour, machine(), { epoch: 1, number: 1 })
  await run(destroy)
  expect(await host().find(neighbour)).toMatchObject({ power: 'off', disks: [{ epoch: 1, number: 1 }] })
})
