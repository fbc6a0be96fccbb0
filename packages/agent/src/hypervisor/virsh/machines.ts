import type { Generation } from '@vps/shared/jobs'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import { type Found, HypervisorError, type NewSize, nothingFound, type SeedSecrets, unlessAway } from '../hypervisor.js'
import { domainName, domainXml, kibPerSecond, resizedXml } from './domain-xml.js'
import { passwordLabel } from './guest-scripts.js'
import type { VirshHost } from './host.js'
import { parseDomain, parseList, powerOf } from './parse.js'
import { createSeedImage, passwordSeed, seedFiles } from './seed-image.js'

/** A guest agent that is there answers at once. */
const agentAnswersMs = 10_000

export async function find({ virsh, storage, domains }: VirshHost, serverId: string): Promise<Found> {
  const made = await storage.madeOf(serverId)
  const all = parseList(await virsh(['list', '--all', '--uuid', '--name']))
  const nameTaken = all.some(({ uuid, name }) => name === domainName(serverId) && uuid !== serverId)
  if (!all.some(({ uuid }) => uuid === serverId)) return { ...nothingFound, ...made, nameTaken }
  const domain = parseDomain(await virsh(['dumpxml', '--inactive', serverId]))
  return {
    power: powerOf(await domains.statsOf(serverId)),
    autostart: (await virsh(['list', '--all', '--autostart', '--uuid'])).includes(serverId),
    definedBy: domain.generation,
    access: domain.access,
    size: domain.size ?? null,
    snapshots: domain.generation ? await storage.snapshots(serverId, domain.generation) : [],
    revertedBy: domain.revertedBy,
    nameTaken,
    ...made,
  }
}

export async function createSeed(
  { storage, can }: VirshHost,
  serverId: string,
  machine: MachineDescription,
  generation: Generation,
  secrets: SeedSecrets,
): Promise<void> {
  const path = storage.seedPath(serverId, generation)
  await createSeedImage(path, 'cidata', (await can()).isoProgram, seedFiles(serverId, machine, generation, secrets))
}

/** Over its disk, with its seed where there is one, held to its addresses. */
export async function define(
  { storage, domains, guards, can }: VirshHost,
  serverId: string,
  machine: MachineDescription,
  generation: Generation,
): Promise<void> {
  const seeded = (await storage.madeOf(serverId)).seeds.length > 0
  const serialLogPath = storage.serialLogPath(serverId)
  const seedPath = seeded ? storage.seedPath(serverId, generation) : null
  const diskPath = storage.diskPath(serverId, generation)
  const xml = domainXml({ serverId, machine, generation, diskPath, seedPath, serialLogPath }, await can())
  await domains.defineXml(xml)
  await guards.admit(serverId, parseDomain(xml).guard)
}

export async function resize(
  { virsh, storage, domains, can }: VirshHost,
  serverId: string,
  size: NewSize,
): Promise<void> {
  if ((await domains.power(serverId)) !== 'off') throw new HypervisorError('the machine is not off')
  const xml = await virsh(['dumpxml', '--inactive', serverId])
  const { generation, macs } = parseDomain(xml)
  if (!generation) throw new HypervisorError('the machine was not made by this agent', { final: true })
  // The disk first: the definition that tells its size then tells the truth.
  if (size.diskGb !== null) await storage.growDisk(serverId, generation, size.diskGb)
  await domains.defineXml(resizedXml(xml, size))
  if (!(await can()).bandwidth || size.bandwidthMbps === null) return
  const rate = size.bandwidthMbps === 0 ? '0' : String(kibPerSecond(size.bandwidthMbps))
  for (const mac of macs) await virsh(['domiftune', serverId, mac, '--inbound', rate, '--outbound', rate, '--config'])
}

/** Through the guest agent; final where none answers. */
export async function setPassword(
  { boot, guest }: VirshHost,
  serverId: string,
  username: string,
  password: string,
): Promise<void> {
  try {
    await boot.awaitGuestAgent(serverId, agentAnswersMs, new AbortController().signal)
  } catch (error) {
    unlessAway(error)
    throw new HypervisorError('the guest agent does not answer', { final: true, customer: text.noGuestAgent })
  }
  await guest.setPassword(serverId, username, password)
}

export async function insertPassword(
  { virsh, storage, can }: VirshHost,
  serverId: string,
  username: string,
  passwordHash: string,
): Promise<void> {
  const { generation, seedDrive } = parseDomain(await virsh(['dumpxml', '--inactive', serverId]))
  if (!generation || !seedDrive) throw new HypervisorError('the machine has no drive of ours', { final: true })
  const path = storage.seedPath(serverId, generation)
  await createSeedImage(path, passwordLabel, (await can()).isoProgram, passwordSeed(username, passwordHash))
  await virsh(['change-media', serverId, seedDrive, path, '--update', '--config'])
}

export async function removeSeed(host: VirshHost, serverId: string): Promise<void> {
  if (await host.domains.exists(serverId)) await ejectSeed(host, serverId)
  await host.storage.removeSeeds(serverId)
}

/** Out of the running machine and out of its definition, whichever holds one. */
async function ejectSeed({ virsh, domains }: VirshHost, serverId: string): Promise<void> {
  const on = (await domains.power(serverId)) === 'on'
  const views = [...(on ? [{ read: [], flag: '--live' }] : []), { read: ['--inactive'], flag: '--config' }]
  for (const { read, flag } of views) {
    const { seed, seedDrive } = parseDomain(await virsh(['dumpxml', ...read, serverId]))
    if (seed && seedDrive) await virsh(['change-media', serverId, seedDrive, '--eject', '--force', flag])
  }
}

export async function remove({ virsh, storage, domains, guards }: VirshHost, serverId: string): Promise<void> {
  await domains.cutPower(serverId)
  const leftovers = ['--nvram', '--managed-save', '--snapshots-metadata', '--checkpoints-metadata']
  if (await domains.exists(serverId)) await virsh(['undefine', serverId, ...leftovers])
  guards.forget(serverId)
  await storage.removeAll(serverId)
}
