import * as verbs from '@vps/shared/verbs'
import { planSnapshot } from '../plan.js'
import type { Handler, JobContext, Step } from './handler.js'
import { notThere } from './power.js'

/** Always: an earlier run may have been killed with the guest frozen. */
export const thaw: Step = {
  name: 'thaw',
  label: '恢复写入',
  weight: 2,
  limit: 'imageMs',
  run: ({ hypervisor, job, signal }) => hypervisor.thaw(job.serverId, signal),
}

/** Side by side: a guest may stand still late, and is thawed also where nobody waits for that any more. */
export async function takeBack({ hypervisor, job }: JobContext, name: string): Promise<void> {
  const never = new AbortController().signal
  await Promise.all([hypervisor.thaw(job.serverId, never), hypervisor.deleteSnapshot(job.serverId, name)])
}

/** Of the disk alone, running or off. A failed one leaves none. */
export const snapshot: Handler = {
  steps: [
    {
      name: 'takeSnapshot',
      label: verbs.takeSnapshot,
      weight: 90,
      limit: 'imageMs',
      run: (context) => context.hypervisor.takeSnapshot(context.job.serverId, snapshotOf(context)),
    },
    { ...thaw, weight: 10 },
  ],
  plan: (context) => {
    const steps = planSnapshot(snapshotOf(context), context.found)
    if (steps) return steps
    throw notThere()
  },
  check: (context, found) => (found.snapshots.includes(snapshotOf(context)) ? null : 'the snapshot is not there'),
  proves: () => false,
  undo: (context) => takeBack(context, snapshotOf(context)),
}

/** Also of one that is gone, or of a gone machine. */
export const deleteSnapshot: Handler = {
  steps: [
    {
      name: 'deleteSnapshot',
      label: verbs.deleteSnapshot,
      weight: 100,
      limit: 'imageMs',
      run: (context) => context.hypervisor.deleteSnapshot(context.job.serverId, snapshotOf(context)),
    },
  ],
  plan: (context) => new Set(context.found.snapshots.includes(snapshotOf(context)) ? ['deleteSnapshot'] : []),
  check: (context, found) => (found.snapshots.includes(snapshotOf(context)) ? 'the snapshot is still there' : null),
  proves: () => false,
}

/** The job's. */
export function snapshotOf({ job: { payload } }: Pick<JobContext, 'job'>): string {
  if (!('snapshotId' in payload)) throw new Error(`a ${payload.kind} job has no snapshot`)
  return payload.snapshotId
}
