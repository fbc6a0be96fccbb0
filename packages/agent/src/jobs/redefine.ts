import type { JobPayload } from '@vps/shared/jobs.contract'
import { HypervisorError } from '../hypervisor/hypervisor.js'
import { checkRedefined, diskToRedefine, planRedefine } from '../plan-redefine.js'
import type { Handler, JobContext } from './handler.js'
import * as stepNames from './step-names.js'

/** Over its own, untouched disk; stays in rescue, and keeps a disc in its drive. */
export const redefine: Handler = {
  steps: [
    {
      name: 'defineMachine',
      label: stepNames.defining,
      weight: 50,
      run: (context) => {
        const { hypervisor, job } = context
        const { machine, rescueId, iso } = payloadOf(context)
        return hypervisor.define(job.serverId, machine, diskOf(context) ?? job.generation, { rescueId, iso })
      },
    },
    {
      name: 'startMachine',
      label: stepNames.starting,
      weight: 50,
      run: async ({ hypervisor, job }) => {
        await hypervisor.start(job.serverId)
        await hypervisor.setAutostart(job.serverId, true)
      },
    },
  ],
  plan: (context) => {
    const steps = planRedefine(diskOf(context), payloadOf(context).start, context.found)
    if (steps) return steps
    throw new HypervisorError('the disk of this generation is not there, or the name is taken', {
      final: true,
      customer: '磁盘已不存在，无法重新定义',
    })
  },
  check: (context, found) => checkRedefined(diskOf(context), payloadOf(context).start, found),
  proves: () => false,
}

const diskOf = (context: JobContext) =>
  diskToRedefine({ ...payloadOf(context), number: context.job.generation.number }, context.found)

function payloadOf({ job }: Pick<JobContext, 'job'>): Extract<JobPayload, { kind: 'redefine' }> {
  if (job.payload.kind !== 'redefine') throw new Error(`a ${job.payload.kind} job is not a redefinition`)
  return job.payload
}
