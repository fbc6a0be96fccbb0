import { randomUUID } from 'node:crypto'
import { lastingElsewhere, lastingSteps, lastingUntold } from '@vps/shared/jobs'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { expect, test } from 'vitest'
import { install, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'
import { handlerOf } from './handlers.js'
import { Stopped } from './stopped.js'

const { run, host } = setUpJobs()
const backupId = randomUUID()
const restore = { kind: 'restore', backupId, machine: machine(), hostKey: null } as const

test.each<[string | undefined, JobPayload]>([
  [lastingSteps.backup, { kind: 'backup', backupId }],
  [lastingSteps.reinstall, { kind: 'reinstall', machine: machine() }],
  [lastingSteps.restore, restore],
  [lastingElsewhere, { ...restore, from: randomUUID() }],
  [lastingSteps.revert, { kind: 'revert', snapshotId: randomUUID() }],
  [lastingSteps.resetPassword, { kind: 'resetPassword', username: 'root', byRestart: false }],
  [lastingSteps.leaveRescue, { kind: 'leaveRescue', start: true }],
  [lastingUntold.resetPassword, { kind: 'resetPassword', username: 'root', byRestart: true }],
  [lastingUntold.enterRescue, { kind: 'enterRescue', rescueId: randomUUID(), machine: machine() }],
  [lastingUntold.insertIso, { kind: 'insertIso', isoId: randomUUID(), image: machine().image, boots: true }],
])('%s is a step of what it is the last one of', (name, payload) => {
  expect(handlerOf(payload)?.steps.map((step) => step.name)).toContain(name)
})

test('a revert that is broken off while its guest boots tells that the disk was taken back', async () => {
  const snapshotId = randomUUID()
  await run(install)
  await run({ kind: 'snapshot', snapshotId })
  const work = new AbortController()
  const { hypervisor } = watch(host(), { awaitBoot: async () => work.abort(new Stopped('abort')) })
  const { result, steps } = await run({ kind: 'revert', snapshotId }, { hypervisor, signal: work.signal })
  expect(result).toMatchObject({ ok: false, aborted: true })
  expect(steps.filter(({ status }) => status === 'done').map(({ name }) => name)).toContain(lastingSteps.revert)
})
