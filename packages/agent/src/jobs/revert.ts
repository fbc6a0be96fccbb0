import * as text from '@vps/shared/text'
import { HypervisorError } from '../hypervisor/hypervisor.js'
import { checkReverted, planRevert } from '../plan.js'
import type { Handler, JobContext } from './handler.js'
import { bootAgain, tryLoginAgain } from './login-again.js'
import { startAgain, startMachine } from './power.js'
import { snapshotOf } from './snapshot.js'
import * as stepNames from './step-names.js'

/**
 * The disk alone goes back, so power is cut: the guest's last writes are given up. Started again where it comes back by
 * itself; a login is tried with the password of then, but its owner may have changed it or closed SSH: without one the
 * job succeeds, unproven.
 */
export function revert(): Handler {
  let proven = false
  return {
    steps: [
      {
        name: 'cutPower',
        label: stepNames.cuttingPower,
        weight: 10,
        run: ({ hypervisor, job }) => hypervisor.cutPower(job.serverId),
      },
      {
        name: 'revertDisk',
        label: '恢复磁盘',
        weight: 30,
        limit: 'imageMs',
        run: (context) => context.hypervisor.revertTo(context.job.serverId, snapshotOf(context), context.job.id),
      },
      { ...startMachine, weight: 10 },
      { ...bootAgain(), weight: 35 },
      tryLoginAgain((accepted) => (proven = accepted)),
    ],
    plan: (context) => planOf(context),
    check: ({ job }, found) => checkReverted(job.id, found),
    proves: () => proven,
    undo: startAgain,
  }
}

function planOf(context: JobContext): ReadonlySet<string> {
  const steps = planRevert({ snapshotId: snapshotOf(context), jobId: context.job.id }, context.found)
  if (steps) return steps
  throw new HypervisorError('the snapshot is not there', { final: true, customer: text.noSnapshot })
}
