import { checkDestroyed, planDestroy } from '../plan.js'
import type { Handler } from './handler.js'
import * as stepNames from './step-names.js'

/** Nothing of the server is left; its place goes back only by a later inventory. */
export const destroy: Handler = {
  steps: [
    {
      name: 'cutPower',
      label: stepNames.cuttingPower,
      weight: 40,
      // Autostart goes with the definition.
      run: ({ hypervisor, job }) => hypervisor.cutPower(job.serverId),
    },
    {
      name: 'removeMachine',
      label: '删除虚拟机和磁盘',
      weight: 60,
      run: async ({ hypervisor, job }) => {
        await hypervisor.remove(job.serverId)
        await hypervisor.removeFirewall(job.serverId)
      },
    },
  ],
  plan: ({ found }) => planDestroy(found),
  check: (_context, found) => checkDestroyed(found),
  proves: () => false,
}
