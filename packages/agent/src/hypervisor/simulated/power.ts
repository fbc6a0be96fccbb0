import type { Hypervisor } from '../hypervisor.js'
import { act, type SimulatedHost } from './act.js'
import { domainIn, readSeed } from './machines.js'
import { isOn } from './state.js'

export function powerOf(host: SimulatedHost): Pick<Hypervisor, 'start' | 'setAutostart' | 'askShutdown' | 'cutPower'> {
  const { settings, state } = host
  return {
    start: (serverId) =>
      act(host, { verb: 'start', serverId, ms: settings.powerMs }, () => {
        const domain = domainIn(state, serverId)
        if (isOn(domain, Date.now())) return
        Object.assign(domain, { on: true, startedAtMs: Date.now(), offAtMs: null, runsIso: domain.iso?.boots === true })
        readSeed(state, serverId, domain)
      }),

    setAutostart: (serverId, on) =>
      act(host, { verb: 'setAutostart', serverId, ms: 0 }, () => {
        const domain = state.domains[serverId]
        if (domain) domain.autostart = on
      }),

    askShutdown: (serverId) =>
      act(host, { verb: 'askShutdown', serverId, ms: 0 }, () => {
        const domain = state.domains[serverId]
        if (domain && isOn(domain, Date.now())) domain.offAtMs = Date.now() + settings.powerMs * 0.8
      }),

    cutPower: (serverId) =>
      act(host, { verb: 'cutPower', serverId, ms: settings.powerMs * 0.3 }, () => {
        const domain = state.domains[serverId]
        if (domain) Object.assign(domain, { on: false, startedAtMs: null, offAtMs: null })
      }),
  }
}
