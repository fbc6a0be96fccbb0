import { checkDestroyed, planDestroy } from '../plan.js'
import type { Handler } from './handler.js'

/** Leaves nothing of the server on this host. The place goes back to the pool only by a later inventory. */
export const destroy: Handler = {
  steps: [
    {
      name: 'cutPower',
      label: '关闭虚拟机',
      weight: 40,
      // Autostart goes with the definition; a host that reboots in between is read anew.
      run: ({ hypervisor, job }) => hypervisor.cutPower(job.serverId),
    },
    {
      name: 'removeMachine',
      label: '删除虚拟机和磁盘',
      weight: 60,
      run: ({ hypervisor, job }) => hypervisor.remove(job.serverId),
    },
  ],
  plan: ({ found }) => planDestroy(found),
  check: (_context, found) => checkDestroyed(found),
  proves: () => false,
}
