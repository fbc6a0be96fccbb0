import type { NewSize } from '../hypervisor/hypervisor.js'
import { checkResized, planResize } from '../plan.js'
import type { Handler, JobContext } from './handler.js'
import { startMachine, stopMachine } from './power.js'

/** Shut down, changed and started again, unless its owner had stopped it. */
export const resize: Handler = {
  steps: [
    { ...stopMachine, weight: 40 },
    {
      name: 'applySize',
      label: '调整配置',
      weight: 30,
      run: (context) => context.hypervisor.resize(context.job.serverId, sizeOf(context)),
    },
    { ...startMachine, weight: 30 },
  ],
  plan: (context) => planResize(sizeOf(context), context.found),
  check: (context, found) => checkResized(sizeOf(context), found),
  proves: () => false,
  // The order keeps its old configuration when this fails; a disk that has grown stays so.
  undo: async ({ hypervisor, job, found: before }) => {
    const now = await hypervisor.find(job.serverId)
    if (now.power === 'absent' || !before.size) return
    if (now.size?.cpuCores !== before.size.cpuCores || now.size.memoryMb !== before.size.memoryMb) {
      await hypervisor.cutPower(job.serverId)
      await hypervisor.resize(job.serverId, { ...before.size, bandwidthMbps: null })
    }
    if (now.autostart) await hypervisor.start(job.serverId)
  },
}

function sizeOf({ job }: Pick<JobContext, 'job'>): NewSize {
  if (job.payload.kind !== 'resize') throw new Error(`a ${job.payload.kind} job is not a resize`)
  const { cpuCores, memoryMb, diskGb, bandwidthMbps = null } = job.payload
  return { cpuCores, memoryMb, diskGb, bandwidthMbps }
}
