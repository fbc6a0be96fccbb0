import type { Generation } from '@vps/shared/jobs'
import { HypervisorError } from '../hypervisor.js'
import type { VirshHost } from './host.js'
import { parseDomain } from './parse.js'

type Definition = { xml: string; domain: ReturnType<typeof parseDomain>; generation: Generation }

/** As the machine starts next; final where this agent did not make it. */
export async function readDefinition({ virsh }: Pick<VirshHost, 'virsh'>, serverId: string): Promise<Definition> {
  const xml = await virsh(['dumpxml', '--inactive', serverId])
  const domain = parseDomain(xml)
  const { generation } = domain
  if (!generation) throw new HypervisorError('the machine was not made by this agent', { final: true })
  return { xml, domain, generation }
}

/** To change it or its disk: refused unless the machine is off. */
export async function readWhileOff(host: VirshHost, serverId: string): Promise<Definition> {
  if ((await host.domains.power(serverId)) !== 'off') throw new HypervisorError('the machine is not off')
  return readToChange(host, serverId)
}

/** Running or off. */
export async function readToChange(host: Pick<VirshHost, 'virsh'>, serverId: string): Promise<Definition> {
  const definition = await readDefinition(host, serverId)
  await forgetMemory(host, serverId)
  return definition
}

/**
 * What the host saved, as at its shutdown, would come back with the definition of then, over the disk of now (decision
 * 0129). Nothing where none is.
 */
export async function forgetMemory({ virsh }: Pick<VirshHost, 'virsh'>, serverId: string): Promise<void> {
  await virsh(['managedsave-remove', serverId])
}
