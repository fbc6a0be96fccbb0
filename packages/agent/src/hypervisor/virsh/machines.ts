import { existsSync } from 'node:fs'
import { compareGenerations, type Generation } from '@vps/shared/jobs'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import {
  type Found,
  type Held,
  HypervisorError,
  type NewSize,
  nothingFound,
  type SeedSecrets,
  unlessAway,
} from '../hypervisor.js'
import { forgetMemory, ownDisk, readDefinition, readWhileOff } from './definition.js'
import { refuseWithoutFirmware, removeCutNvram, uefiXml } from './firmware.js'
import { changeMedium } from './drive.js'
import { domainName, domainXml, kibPerSecond, resizedXml } from './domain-xml.js'
import { insertedXml } from './iso-xml.js'
import { rescueXml } from './rescue-xml.js'
import { forgetIdentity, hasForgotten, passwordLabel } from './guest-scripts.js'
import type { VirshHost } from './host.js'
import { parseDomain, parseList, powerOf } from './parse.js'
import { isSeed } from './storage.js'
import { createSeedImage, passwordSeed, seedFiles } from './seed-image.js'
import { sourceOf } from './thin-volumes.js'

const agentAnswersMs = 10_000

export async function find(host: VirshHost, serverId: string): Promise<Found> {
  const { virsh, storage, domains } = host
  const made = {
    ...(await storage.madeOf(serverId)),
    firewall: await host.firewalls.revisionOf(serverId),
    outsidePorts: await host.nats.portsOf(serverId),
  }
  const all = parseList(await virsh(['list', '--all', '--uuid', '--name']))
  const nameTaken = all.some(({ uuid, name }) => name === domainName(serverId) && uuid !== serverId)
  if (!all.some(({ uuid }) => uuid === serverId)) return { ...nothingFound, ...made, nameTaken }
  const domain = parseDomain(await virsh(['dumpxml', '--inactive', serverId]))
  return {
    power: powerOf(await domains.statsOf(serverId)),
    autostart: (await virsh(['list', '--all', '--autostart', '--uuid'])).includes(serverId),
    definedBy: domain.generation,
    access: domain.access,
    // Neither is what was ordered, perhaps: a resize sets both.
    size: (domain.currentMemoryMb === undefined && domain.size) || null,
    bandwidthMbps: (await host.can()).bandwidth ? domain.bandwidthMbps : null,
    addresses: domain.guard?.addresses ?? [],
    snapshots: domain.generation ? await storage.snapshots(serverId, domain.generation) : [],
    revertedBy: domain.revertedBy,
    rescueId: domain.rescueId,
    iso: domain.iso,
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
  const instance = instanceOf(serverId, generation)
  await createSeedImage(path, 'cidata', (await can()).isoProgram, seedFiles(instance, machine, secrets))
}

/** New for each generation: cloud-init sets a reinstalled machine up from the beginning. */
const instanceOf = (serverId: string, { epoch, number }: Generation) => `${serverId}-${epoch}.${number}`

export async function canMove({ guest, domains }: VirshHost, serverId: string): Promise<boolean | null> {
  return (await domains.power(serverId)) === 'on' ? guest.mayRun(serverId) : null
}

export async function takeIdentity(
  { boot, guest, domains }: VirshHost,
  serverId: string,
  generation: Generation,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const unable = (message: string) =>
    new HypervisorError(message, { final: true, customer: '备份中的系统没有可用的客户机代理，无法改为这台服务器' })
  const script = forgetIdentity(instanceOf(serverId, generation))
  let code: number
  try {
    await boot.awaitGuestAgent(serverId, limitMs, signal)
    code = await guest.run(serverId, script, signal)
  } catch (error) {
    unlessAway(error)
    signal.throwIfAborted()
    throw unable(error instanceof Error ? error.message : 'the guest agent failed')
  }
  if (code === 0) return
  if (code !== hasForgotten) throw unable(`the guest could not forget its identity: ${code}`)
  await domains.cutPower(serverId)
  await domains.start(serverId)
}

/** Over its disk or its rescue's, with seed or disc if any, held to its addresses, ports leading to it. */
export async function define(
  host: VirshHost,
  serverId: string,
  machine: MachineDescription,
  generation: Generation,
  { rescueId, iso }: Held = {},
): Promise<void> {
  const { storage, domains, guards, nats, can, images } = host
  await refuseWithoutFirmware(host, machine.image)
  const made = await storage.madeOf(serverId)
  const seeded = made.seeds.some((seed) => compareGenerations(seed, generation) === 0)
  const serialLogPath = storage.serialLogPath(serverId)
  const seedPath = seeded ? storage.seedPath(serverId, generation) : null
  const diskPath = await sourceOf(storage.diskPath(serverId, generation))
  const bios = domainXml({ serverId, machine, generation, diskPath, seedPath, serialLogPath }, await can())
  const plain = machine.image.firmware === 'uefi' ? uefiXml(bios, storage.nvramPath(serverId)) : bios
  const isInRescue = rescueId !== undefined && made.rescues.includes(rescueId)
  const xml = isInRescue
    ? rescueXml(plain, {
        rescueId,
        diskPath: await sourceOf(storage.rescuePath(serverId, rescueId)),
        seedPath: null,
      })
    : plain
  if (await domains.exists(serverId)) {
    await keepOtherDisk(host, serverId, generation)
    await nameBack(host, serverId)
    await forgetMemory(host, serverId)
  }
  // First: what is defined is not defined again.
  await nats.apply(serverId, machine)
  await domains.defineXml(iso ? insertedXml(xml, { ...iso, path: images.pathOf(iso.file) }) : xml)
  await guards.admit(serverId, parseDomain(xml).guard)
}

/** libvirt renames none that runs, and defines none anew under another name. */
async function nameBack({ virsh, domains }: VirshHost, serverId: string): Promise<void> {
  const name = (await virsh(['domname', serverId])).trim()
  if (name === domainName(serverId)) return
  if ((await domains.power(serverId)) !== 'off')
    throw new HypervisorError(`the machine was renamed to ${name}: it gets its name back while it is off`, {
      final: true,
      customer: '虚拟机被改名，请先关机',
    })
  await virsh(['domrename', serverId, domainName(serverId)])
}

/** What was written since to another disk would be lost: for the same disk, it is not defined anew. */
async function keepOtherDisk(host: VirshHost, serverId: string, made: Generation): Promise<void> {
  const domain = parseDomain(await host.virsh(['dumpxml', '--inactive', serverId]))
  if (domain.generation && compareGenerations(domain.generation, made) === 0)
    await ownDisk(host, serverId, { domain, generation: made })
}

export async function resize(host: VirshHost, serverId: string, size: NewSize): Promise<void> {
  const { virsh, storage, domains, can } = host
  const { xml, domain, generation } = await readWhileOff(host, serverId)
  // The disk first: then the definition tells its true size.
  if (size.diskGb !== null && ((await storage.diskGb(serverId, generation)) ?? 0) < size.diskGb) {
    await ownDisk(host, serverId, { domain, generation })
    await storage.growDisk(serverId, generation, size.diskGb)
  }
  await domains.defineXml(resizedXml(xml, size))
  if (!(await can()).bandwidth || size.bandwidthMbps === null) return
  const rate = size.bandwidthMbps === 0 ? '0' : String(kibPerSecond(size.bandwidthMbps))
  for (const mac of domain.macs)
    await virsh(['domiftune', serverId, mac, '--inbound', rate, '--outbound', rate, '--config'])
}

/** By the guest agent; final where none answers. */
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
  host: VirshHost,
  serverId: string,
  username: string,
  passwordHash: string,
): Promise<void> {
  const { virsh, storage, can } = host
  const { generation, domain } = await readDefinition(host, serverId)
  const { drive } = domain
  if (!drive) throw new HypervisorError('the machine has no drive of ours', { final: true })
  await forgetMemory(host, serverId)
  const path = storage.seedPath(serverId, generation)
  await createSeedImage(path, passwordLabel, (await can()).isoProgram, passwordSeed(username, passwordHash))
  await virsh(['change-media', serverId, drive, path, '--update', '--config'])
}

/**
 * libvirt starts none whose drive holds a file that is gone, as in a storage that came back from a copy: what it would
 * have told the guest is lost, and what has the disk is not. Nor one whose firmware's memory was cut.
 */
export async function start(host: VirshHost, serverId: string): Promise<void> {
  const { virsh, domains, kvm, storage } = host
  if ((await domains.power(serverId)) === 'off') {
    const { medium } = parseDomain(await virsh(['dumpxml', '--inactive', serverId]))
    if (medium && isSeed(medium) && !existsSync(medium)) await ejectSeed(host, serverId)
    const nvram = storage.nvramPath(serverId)
    if (await removeCutNvram(nvram))
      host.onTrouble(
        new HypervisorError(`${nvram} was cut: the firmware's memory is made anew, without its boot entries`),
      )
  }
  await domains.start(serverId).catch(async (error: unknown) => {
    throw await kvm.reasonOf(error)
  })
}

export async function removeSeed(host: VirshHost, serverId: string): Promise<void> {
  if (await host.domains.exists(serverId)) await ejectSeed(host, serverId)
  await host.storage.removeSeeds(serverId)
}

/** Out of the running machine and its definition. */
async function ejectSeed({ virsh, domains }: VirshHost, serverId: string): Promise<void> {
  const seedIn = async (...read: string[]) => {
    const { drive, medium } = parseDomain(await virsh(['dumpxml', ...read, serverId]))
    return medium && isSeed(medium) ? drive : null
  }
  const on = (await domains.power(serverId)) === 'on'
  const running = on && (await seedIn())
  if (running) await changeMedium(virsh, serverId, running, ['--eject'])
  const defined = await seedIn('--inactive')
  if (!defined) return
  if (!on) await forgetMemory({ virsh }, serverId)
  await virsh(['change-media', serverId, defined, '--eject', '--force', '--config'])
}

export async function remove({ virsh, storage, domains, guards, nats }: VirshHost, serverId: string): Promise<void> {
  await domains.cutPower(serverId)
  const leftovers = ['--nvram', '--managed-save', '--snapshots-metadata', '--checkpoints-metadata']
  if (await domains.exists(serverId)) await virsh(['undefine', serverId, ...leftovers])
  guards.forget(serverId)
  await nats.remove(serverId)
  await storage.removeAll(serverId)
}
