import type { Hypervisor } from '../hypervisor/hypervisor.js'
import type { transferLoop } from '../images/transfers.js'
import type { Presence } from '../presence.js'
import { following } from '../wait.js'
import { turn } from '../turn.js'
import type { LoopDeps } from './loop.js'
import { repeat } from '../repeat.js'

/** Every 10 s, and soon after a job ended or an image came on. */
export function reportLoop(
  deps: LoopDeps & {
    hypervisor: Hypervisor
    presence: Presence
    transfers: Pick<ReturnType<typeof transferLoop>, 'state'>
  },
) {
  const { api, identity, signal, hypervisor, presence, transfers } = deps
  const report = async () => {
    const at = new Date().toISOString()
    const away = await presence.look()
    // Its machines run on, whatever the agent cannot write or find.
    const measures = away === null || away.kind === 'state' || away.kind === 'storage'
    const [host, domains] = await Promise.all([hypervisor.measureHost(), measures ? hypervisor.measure() : []])
    await following([signal], (stop) =>
      api.report.mutate(
        { ...identity, at, host, away, domains: domains.slice(0, 5000), transfers: transfers.state() },
        { signal: stop },
      ),
    )
  }
  return repeat({ everyMs: 10_000, gapMs: 1000, signal, act: async () => void (await turn(deps, 'report', report)) })
}
