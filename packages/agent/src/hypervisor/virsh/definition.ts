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

/**
 * The disk's file, for what is done to it. Final where somebody gave the machine another, as a snapshot beside the file
 * does: what is below must not change (decision 0140).
 */
export async function ownDisk(
  { storage }: Pick<VirshHost, 'storage'>,
  serverId: string,
  { domain, generation }: Pick<Definition, 'domain' | 'generation'>,
): Promise<string> {
  const path = storage.diskPath(serverId, generation)
  if (await storage.isDisk(domain.diskPath, serverId, generation)) return path
  // Without --base all of it would go into the base that other machines rest on, too.
  const merge = `virsh blockcommit ${serverId} vda --base ${path} --active --pivot --wait`
  const words = `the machine has the disk ${domain.diskPath || 'of no file'}, not ${path}: give it that one back by hand (of a snapshot beside the file by \`${merge}\` while it runs), and try again`
  throw new HypervisorError(words, { final: true, customer: '磁盘被换成了另一个文件，请联系客服' })
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
