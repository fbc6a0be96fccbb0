import type { Hypervisor } from '../hypervisor.js'
import { act, type SimulatedHost } from './act.js'
import { domainIn } from './machines.js'

/** Keeps only the rules' revision. */
export function firewallsOf(host: SimulatedHost): Pick<Hypervisor, 'applyFirewall' | 'removeFirewall'> {
  const { settings, state } = host
  return {
    applyFirewall: (serverId, revision) =>
      act(host, { verb: 'applyFirewall', serverId, ms: settings.powerMs * 0.2 }, () => {
        domainIn(state, serverId)
        state.firewalls[serverId] = Math.max(revision, state.firewalls[serverId] ?? 0)
      }),

    removeFirewall: (serverId) =>
      act(host, { verb: 'removeFirewall', serverId, ms: 0 }, () => void delete state.firewalls[serverId]),
  }
}
