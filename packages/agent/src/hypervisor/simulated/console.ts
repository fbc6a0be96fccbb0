import type { Duplex } from 'node:stream'
import type { RemoteKind } from '@vps/shared/remote'
import { NothingToShow } from '../hypervisor.js'
import { strike, type SimulatedHost } from './act.js'
import { SimulatedScreen } from './rfb.js'
import { SimulatedSerial } from './serial.js'
import { isOn } from './state.js'

const lookEveryMs = 200

/** As libvirt's: it ends when the machine goes off. */
export async function openConsole(host: SimulatedHost, serverId: string, kind: RemoteKind): Promise<Duplex> {
  const { state } = host
  const fault = strike(host, 'openConsole', serverId)
  const bootOf = () => {
    const domain = state.domains[serverId]
    return domain && isOn(domain, Date.now()) ? domain.startedAtMs : null
  }
  const boot = bootOf()
  if (boot === null || fault === 'fail') throw new NothingToShow(`${serverId} is off`)
  const shown = kind === 'screen' ? new SimulatedScreen() : new SimulatedSerial(`vps-${serverId.slice(0, 8)}`)
  const look = setInterval(() => {
    if (bootOf() !== boot) shown.destroy()
  }, lookEveryMs)
  return shown.once('close', () => clearInterval(look))
}
