import { randomUUID } from 'node:crypto'
import { createHostKey } from '../host-key.js'
import { type Access, accessOf, type Hypervisor } from '../hypervisor/hypervisor.js'
import { quickHost } from './agent.js'
import { machine } from './machines.js'

/**
 * Runs, and accepts this password. Contracts hold for the simulated hypervisor and real libvirt; their tests follow
 * each other on one machine.
 */
export type Installed = { hypervisor: Hypervisor; serverId: string; access: Access; hostKey: string; password: string }

/** On a simulated host of its own. */
export async function installedSimulated(stateDir: string, description = machine()): Promise<Installed> {
  const [hypervisor, serverId, password, hostKey] = [quickHost(stateDir), randomUUID(), 'Then-1', createHostKey()]
  const made = { epoch: 1, number: 1 }
  const passwordHash = await hypervisor.hashPassword(password)
  await hypervisor.createDisk(serverId, description, made)
  await hypervisor.createSeed(serverId, description, made, { passwordHash, hostKey })
  await hypervisor.define(serverId, description, made)
  await hypervisor.start(serverId)
  await hypervisor.removeSeed(serverId)
  return { hypervisor, serverId, password, access: accessOf(description), hostKey: hostKey.fingerprint }
}
