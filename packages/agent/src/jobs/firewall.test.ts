import { randomUUID } from 'node:crypto'
import { noFirewall } from '@vps/shared/firewall'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { expect, test } from 'vitest'
import { nothingPasses } from '../testing/firewall-contract.js'
import { install, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'

const { run, killedAt, host, found, faults } = setUpJobs()
const apply = (revision: number): JobPayload => ({ kind: 'applyFirewall', revision, firewall: nothingPasses })

test('rules are applied while the machine runs, and again where they are ordered again', async () => {
  await run(install)
  expect((await run(apply(1))).result).toEqual({ ok: true, power: 'on', proven: false })
  const { hypervisor, acts } = watch(host())
  expect((await run(apply(1), { hypervisor })).result).toMatchObject({ ok: true })
  expect(acts).toEqual(['applyFirewall'])
})

test('an order that comes late leaves the newer rules, and a reinstall leaves all of them', async () => {
  await run(install)
  await run(apply(2))
  const { hypervisor, acts } = watch(host())
  const late: JobPayload = { kind: 'applyFirewall', revision: 1, firewall: noFirewall }
  expect((await run(late, { hypervisor })).result).toMatchObject({ ok: true })
  expect(acts).toEqual([])
  await run({ kind: 'reinstall', machine: machine() }, { generation: 2 })
  expect((await found()).firewall).toBe(2)
})

test('without a machine it fails for good; a hypervisor that lies is found out; a destroy takes them', async () => {
  expect((await run(apply(1))).result).toMatchObject({ ok: false, final: true })
  await run(install)
  faults({ verb: 'applyFirewall', kind: 'lie' })
  expect((await run(apply(1))).result).toMatchObject({ ok: false, final: false })
  await run(apply(1))
  expect((await run({ kind: 'destroy' })).result).toMatchObject({ ok: true })
  expect((await found()).firewall).toBeNull()
})

test.each(['before', 'after'] as const)('an agent killed %s it is followed by one that ends the same', async (when) => {
  await run(install)
  const jobId = randomUUID()
  const earlier = await killedAt(apply(1), 'applyFirewall', when, { jobId })
  expect((await run(apply(1), { earlier, jobId })).result).toMatchObject({ ok: true, power: 'on' })
  expect((await found()).firewall).toBe(1)
})
