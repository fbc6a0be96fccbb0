import type { JobPayload } from '@vps/shared/jobs.contract'
import * as verbs from '@vps/shared/verbs'
import { checkIsoEjected, checkIsoInserted, planEjectIso, planInsertIso } from '../plan-iso.js'
import type { Handler, JobContext } from './handler.js'
import { notThere, startMachine, stopMachine } from './power.js'

/**
 * A library disc in the machine's drive (decision 0105). What it boots is not ours: nothing is awaited or proven. A
 * failure empties the drive; the machine runs if it did.
 */
export const insertIso: Handler = {
  steps: [
    {
      name: 'verifyImage',
      label: '校验光盘镜像',
      weight: 30,
      limit: 'imageMs',
      run: ({ hypervisor, job }) => hypervisor.verifyImage(wanted(job).image),
    },
    {
      name: 'insertIso',
      label: verbs.insertIso,
      weight: 10,
      run: ({ hypervisor, job }) => {
        const { isoId, image, boots } = wanted(job)
        return hypervisor.insertIso(job.serverId, { isoId, file: image.file, boots })
      },
    },
    { ...stopMachine, weight: 40 },
    { ...startMachine, weight: 20 },
  ],
  plan: ({ job, found, done }) => {
    const steps = planInsertIso(wanted(job), found, done.has('stopMachine'))
    if (steps) return steps
    throw notThere()
  },
  check: ({ job }, found) => checkIsoInserted(wanted(job), found),
  proves: () => false,
  undo: async ({ hypervisor, job, found: before }) => {
    const now = await hypervisor.find(job.serverId)
    if (now.power === 'absent') return
    await hypervisor.ejectIso(job.serverId)
    // One that comes back by itself was stopped for the disc.
    if (before.autostart) return hypervisor.start(job.serverId)
    if (before.power === 'off') await hypervisor.cutPower(job.serverId)
    await hypervisor.setAutostart(job.serverId, false)
  },
}

/** Without a restart: what runs from the disc loses it. */
export const ejectIso: Handler = {
  steps: [
    {
      name: 'ejectIso',
      label: verbs.ejectIso,
      weight: 100,
      run: ({ hypervisor, job }) => hypervisor.ejectIso(job.serverId),
    },
  ],
  plan: ({ found }) => planEjectIso(found),
  check: (_context, found) => checkIsoEjected(found),
  proves: () => false,
}

function wanted({ payload }: Pick<JobContext['job'], 'payload'>): Extract<JobPayload, { kind: 'insertIso' }> {
  if (payload.kind !== 'insertIso') throw new Error(`a ${payload.kind} job inserts no disc`)
  return payload
}
