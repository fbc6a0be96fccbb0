import { type Hypervisor, HypervisorError } from '../hypervisor.js'
import { act, type SimulatedHost } from './act.js'
import { offDomainIn } from './machines.js'

export function rescuesOf(host: SimulatedHost): Pick<Hypervisor, 'createRescue' | 'enterRescue' | 'leaveRescue'> {
  const { settings, state } = host
  const ms = settings.powerMs * 0.3
  const removeRescues = (serverId: string) => {
    state.rescues = state.rescues.filter((one) => one.serverId !== serverId)
  }
  return {
    createRescue: (serverId, rescueId, _machine, { passwordHash, hostKey }) =>
      act(host, { verb: 'createRescue', serverId, ms }, () => {
        removeRescues(serverId)
        state.rescues.push({ serverId, id: rescueId, passwordHash, hostKey: hostKey.fingerprint })
      }),

    enterRescue: (serverId, rescueId) =>
      act(host, { verb: 'enterRescue', serverId, ms }, () => {
        const domain = offDomainIn(state, serverId)
        if (!state.rescues.some(({ id }) => id === rescueId)) throw new HypervisorError('there is no such rescue')
        domain.rescueId = rescueId
      }),

    leaveRescue: (serverId) =>
      act(host, { verb: 'leaveRescue', serverId, ms }, () => {
        if (state.domains[serverId]?.rescueId) delete offDomainIn(state, serverId).rescueId
        removeRescues(serverId)
      }),
  }
}
