import { existsSync } from 'node:fs'
import { unlessAway } from '../hypervisor.js'
import { portOf } from './guard-rules.js'
import { bridgeIn } from './parse.js'
import { run, type Virsh } from './run.js'

/**
 * A bridge that was made anew, as a network service does at its restart, has none of the ports of running machines:
 * libvirt puts them back only at its own start. One whose bridge is not there yet is tried again with the next inventory.
 */
export async function putBackPort(virsh: Virsh, serverId: string): Promise<void> {
  const port = portOf(serverId)
  const device = `/sys/class/net/${port}`
  if (!existsSync(device) || existsSync(`${device}/master`)) return
  try {
    const bridge = bridgeIn(await virsh(['dumpxml', serverId]), port)
    if (bridge !== null) await run('ip', ['link', 'set', port, 'master', bridge])
  } catch (error) {
    unlessAway(error)
  }
}
