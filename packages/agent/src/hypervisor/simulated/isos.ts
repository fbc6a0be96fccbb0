import { type Hypervisor, HypervisorError } from '../hypervisor.js'
import { act, type SimulatedHost } from './act.js'
import { domainIn } from './machines.js'

export function isosOf(host: SimulatedHost): Pick<Hypervisor, 'insertIso' | 'ejectIso'> {
  const { settings, state } = host
  const ms = settings.powerMs * 0.2
  return {
    insertIso: (serverId, { isoId, boots }) =>
      act(host, { verb: 'insertIso', serverId, ms }, () => {
        domainIn(state, serverId).iso = { id: isoId, boots }
      }),

    ejectIso: (serverId) =>
      act(host, { verb: 'ejectIso', serverId, ms }, () => {
        const domain = state.domains[serverId]
        if (!domain) throw new HypervisorError('no such domain')
        delete domain.iso
      }),
  }
}
