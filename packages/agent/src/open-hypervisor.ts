import type { Logger } from 'pino'
import type { Config } from './config.js'
import type { Hypervisor } from './hypervisor/hypervisor.js'
import { openSimulated } from './hypervisor/simulated/simulated.js'
import { openVirsh } from './hypervisor/virsh/virsh.js'

/** Nothing is guessed. */
export function openHypervisor(config: Config, log: Logger): Hypervisor {
  if (config.hypervisor.kind === 'simulated') {
    log.warn('HYPERVISOR=simulated: no real machine is made here, servers exist only on paper')
    return openSimulated(config.hypervisor.settings)
  }
  return openVirsh(config.hypervisor.settings, (error) =>
    log.warn({ err: error }, 'trouble with a file, which is mended or tried again'),
  )
}
