import type { MachineDescription } from '@vps/shared/jobs.contract'
import { access } from 'node:fs/promises'
import type { SeedSecrets } from '../hypervisor.js'
import { readWhileOff } from './definition.js'
import type { VirshHost } from './host.js'
import { parseDomain } from './parse.js'
import { leftXml, rescueXml } from './rescue-xml.js'
import { createSeedImage, seedFiles } from './seed-image.js'
import { sourceOf } from './thin-volumes.js'

/** Its own disk over the rescue image, beside the machine's, which is not touched (decision 0101). */

export async function createRescue(
  { storage, can }: VirshHost,
  serverId: string,
  rescueId: string,
  machine: MachineDescription,
  secrets: SeedSecrets,
): Promise<void> {
  await storage.removeRescues(serverId)
  const seedPath = storage.rescueSeedPath(serverId, rescueId)
  const files = seedFiles(`${serverId}-rescue-${rescueId}`, machine, secrets)
  await createSeedImage(seedPath, 'cidata', (await can()).isoProgram, files)
  // Last: the disk tells that both are there.
  await storage.createDisk(storage.rescuePath(serverId, rescueId), machine)
}

export async function enterRescue(host: VirshHost, serverId: string, rescueId: string): Promise<void> {
  const { storage, domains } = host
  const { xml } = await readWhileOff(host, serverId)
  const seed = storage.rescueSeedPath(serverId, rescueId)
  const seedPath = await access(seed).then(
    () => seed,
    () => null,
  )
  const diskPath = await sourceOf(storage.rescuePath(serverId, rescueId))
  await domains.defineXml(rescueXml(xml, { rescueId, diskPath, seedPath }))
}

export async function leaveRescue(host: VirshHost, serverId: string): Promise<void> {
  const { virsh, storage, domains } = host
  const { rescueId } = parseDomain(await virsh(['dumpxml', '--inactive', serverId]))
  if (rescueId !== null) await domains.defineXml(leftXml((await readWhileOff(host, serverId)).xml))
  await storage.removeRescues(serverId)
}
