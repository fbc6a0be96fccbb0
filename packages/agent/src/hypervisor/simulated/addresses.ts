import type { Hypervisor } from '../hypervisor.js'
import { act, type SimulatedHost } from './act.js'
import { diskIn, domainIn, findIn } from './machines.js'

/** Filters nothing: keeps who may send what; what the guest took is on its disk. */
export function addressesOf(host: SimulatedHost): Pick<Hypervisor, 'admitAddresses' | 'takeAddresses'> {
  const { settings, state } = host
  return {
    admitAddresses: (serverId, addresses) =>
      act(host, { verb: 'admitAddresses', serverId, ms: settings.powerMs * 0.2 }, () => {
        domainIn(state, serverId).addresses = [...addresses]
      }),

    async takeAddresses(serverId, { added }) {
      if (findIn(state, serverId, Date.now()).power !== 'on') return false
      await act(host, { verb: 'takeAddresses', serverId, ms: settings.powerMs * 0.2 }, () => {
        diskIn(state, serverId).addresses = [...added]
      })
      return true
    },
  }
}
