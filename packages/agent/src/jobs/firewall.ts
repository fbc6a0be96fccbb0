import type { JobPayload } from '@vps/shared/jobs.contract'
import * as verbs from '@vps/shared/verbs'
import { checkFirewall, planFirewall } from '../plan.js'
import type { Handler, JobContext } from './handler.js'
import { notThere } from './power.js'

/** The whole set each time, whether it runs or not. */
export const applyFirewall: Handler = {
  steps: [
    {
      name: 'applyFirewall',
      label: verbs.applyFirewall,
      weight: 100,
      run: (context) => {
        const { revision, firewall } = payloadOf(context)
        return context.hypervisor.applyFirewall(context.job.serverId, revision, firewall)
      },
    },
  ],
  plan: (context) => {
    const steps = planFirewall(payloadOf(context).revision, context.found)
    if (steps) return steps
    throw notThere()
  },
  check: (context, found) => checkFirewall(payloadOf(context).revision, found),
  proves: () => false,
}

function payloadOf({ job }: Pick<JobContext, 'job'>): Extract<JobPayload, { kind: 'applyFirewall' }> {
  if (job.payload.kind !== 'applyFirewall') throw new Error(`a ${job.payload.kind} job has no firewall`)
  return job.payload
}
