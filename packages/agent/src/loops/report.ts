import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { following } from '../wait.js'
import { type LoopDeps, turn } from './loop.js'
import { repeat } from './repeat.js'

/** Every 10 s, and soon after a job ended: figures of the host and of its machines. */
export function reportLoop(deps: LoopDeps & { hypervisor: Hypervisor }) {
  const { api, identity, signal, hypervisor } = deps
  const report = async () => {
    const at = new Date().toISOString()
    const { host, domains } = await hypervisor.measure()
    await following([signal], (stop) =>
      api.report.mutate({ ...identity, at, host, domains: domains.slice(0, 5000) }, { signal: stop }),
    )
  }
  return repeat({ everyMs: 10_000, gapMs: 1000, signal, act: async () => void (await turn(deps, 'report', report)) })
}
