import { cpus } from 'node:os'
import type { HostCapacity } from '@vps/shared/agent.contract'
import type { Generation } from '@vps/shared/jobs'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import type { VirshSettings } from '../../config.js'
import { openImageFolder } from '../../images/folder.js'
import {
  type Found,
  type Hypervisor,
  HypervisorAway,
  HypervisorError,
  nothingFound,
  unlessAway,
} from '../hypervisor.js'
import { logIn, readBanner } from '../ssh-proof.js'
import { domainName, domainXml, kibPerSecond, resizedXml } from './domain-xml.js'
import { openBoot } from './boot.js'
import { openDomains } from './domains.js'
import { openGuest } from './guest.js'
import { passwordLabel } from './guest-scripts.js'
import { openGuards } from './guards.js'
import { readInventory } from './inventory.js'
import { openMeasure } from './measure.js'
import { parseDomain, parseList, powerOf } from './parse.js'
import { checkPresence, probe, requirePrograms } from './probe.js'
import { type Virsh, VirshError, virshOn } from './run.js'
import { createSeedImage, passwordSeed, seedFiles } from './seed-image.js'
import { openStorage } from './storage.js'

/** Memory that stays with the host itself: 1 GiB, or a twentieth of a larger host. */
const hostShare = { leastMb: 1024, part: 1 / 20 }

/** A guest agent that is there answers at once. */
const agentAnswersMs = 10_000

/** How virsh says that it has lost libvirt. */
const connectionLost =
  /failed to connect|cannot (recv|write) data|end of file while reading|socket is closed|connection (reset|refused)|broken pipe/i

/**
 * libvirt through virsh. Reads only what libvirt prints for programs, and asks again rather than trusting an answer.
 */
export function openVirsh(settings: VirshSettings): Hypervisor {
  const direct = virshOn(settings.uri, settings.virshTimeoutMs)
  /** What failed because libvirt or the network is away says so, whatever words it failed with. */
  const virsh: Virsh = async (args, options) => {
    try {
      return await direct(args, options)
    } catch (error) {
      if (!(error instanceof VirshError)) throw error
      const away = await checkPresence(direct, settings)
      if (away) throw new HypervisorAway(away)
      // It was killed in mid-act and is back already: these are virsh's own words, in the language that it was given.
      if (connectionLost.test(error.said))
        throw new HypervisorAway({ kind: 'libvirt', detail: error.said.slice(0, 500) })
      throw error
    }
  }
  const images = openImageFolder(settings.imagesDir)
  const storage = openStorage(settings.storageDir, images)
  const guest = openGuest(virsh)
  const measure = openMeasure(virsh, storage, guest)
  let probed: ReturnType<typeof probe> | null = null

  /** Tried out once, as soon as there is a libvirt to try. */
  function host() {
    probed ??= probe(virsh, settings).catch((error: unknown) => {
      probed = null
      throw error
    })
    return probed
  }
  const guards = openGuards(virsh, async () => (await host()).guard)
  const domains = openDomains(virsh)
  const boot = openBoot(domains, storage, guest)
  const { exists, power, statsOf, cutPower, defineXml } = domains

  async function find(serverId: string): Promise<Found> {
    const made = await storage.madeOf(serverId)
    const all = parseList(await virsh(['list', '--all', '--uuid', '--name']))
    const nameTaken = all.some(({ uuid, name }) => name === domainName(serverId) && uuid !== serverId)
    if (!all.some(({ uuid }) => uuid === serverId)) return { ...nothingFound, ...made, nameTaken }
    const domain = parseDomain(await virsh(['dumpxml', '--inactive', serverId]))
    return {
      power: powerOf(await statsOf(serverId)),
      autostart: (await virsh(['list', '--all', '--autostart', '--uuid'])).includes(serverId),
      definedBy: domain.generation,
      access: domain.access,
      size: domain.size ?? null,
      nameTaken,
      ...made,
    }
  }

  /** Takes the seed out of the running machine and out of its definition, whichever holds one. */
  async function ejectSeed(serverId: string): Promise<void> {
    const on = (await power(serverId)) === 'on'
    const views = [...(on ? [{ read: [], flag: '--live' }] : []), { read: ['--inactive'], flag: '--config' }]
    for (const { read, flag } of views) {
      const { seed, seedDrive } = parseDomain(await virsh(['dumpxml', ...read, serverId]))
      if (seed && seedDrive) await virsh(['change-media', serverId, seedDrive, '--eject', '--force', flag])
    }
  }

  return {
    kind: 'virsh',
    images,

    async open() {
      await storage.prepare()
      await requirePrograms()
    },

    checkPresence: () => checkPresence(direct, settings),

    async capacity(): Promise<HostCapacity> {
      const memoryKb = /^total\s*:\s*(\d+)/m.exec(await virsh(['nodememstats']))?.[1]
      if (!memoryKb) throw new HypervisorError('nodememstats gave no total')
      const memoryMb = Math.floor(Number(memoryKb) / 1024)
      const { domainType, guard, bandwidth } = await host()
      const version = /^Running hypervisor: QEMU (\S+)/m.exec(await virsh(['version']))?.[1] ?? 'unknown'
      return {
        hypervisor: 'virsh',
        hypervisorVersion: `QEMU ${version} (${domainType}, ${guard ?? '无地址过滤'})`,
        cpuCores: cpus().length,
        memoryMb: Math.max(1, Math.floor(memoryMb - Math.max(hostShare.leastMb, memoryMb * hostShare.part))),
        diskGb: await storage.capacityGb(),
        addressGuard: guard ?? 'none',
        limitsBandwidth: bandwidth,
      }
    },

    inventory: async () => readInventory(virsh, { domains, storage, guards }, (await host()).bandwidth),
    measureHost: measure.host,
    measure: measure.domains,
    find,
    verifyImage: storage.verifyImage,
    createDisk: (serverId, machine, generation) => storage.createDisk(serverId, machine, generation),

    createSeed: async (serverId, machine, generation, secrets) =>
      createSeedImage(
        storage.seedPath(serverId, generation),
        'cidata',
        (await host()).isoProgram,
        seedFiles(serverId, machine, generation, secrets),
      ),

    async define(serverId: string, machine: MachineDescription, generation: Generation) {
      const seeded = (await storage.madeOf(serverId)).seeds.length > 0
      const seedPath = seeded ? storage.seedPath(serverId, generation) : null
      const xml = domainXml(
        { serverId, machine, generation, diskPath: storage.diskPath(serverId, generation), seedPath },
        await host(),
      )
      await defineXml(xml)
      await guards.admit(serverId, parseDomain(xml).guard)
    },

    guard: (networks) => guards.mend(networks, defineXml),

    async resize(serverId, size) {
      if ((await power(serverId)) !== 'off') throw new HypervisorError('the machine is not off')
      const xml = await virsh(['dumpxml', '--inactive', serverId])
      const { generation, macs } = parseDomain(xml)
      if (!generation) throw new HypervisorError('the machine was not made by this agent', { final: true })
      // The disk first: the definition that tells its size then tells the truth.
      if (size.diskGb !== null) await storage.growDisk(serverId, generation, size.diskGb)
      await defineXml(resizedXml(xml, size))
      if (!(await host()).bandwidth || size.bandwidthMbps === null) return
      const rate = size.bandwidthMbps === 0 ? '0' : String(kibPerSecond(size.bandwidthMbps))
      for (const mac of macs)
        await virsh(['domiftune', serverId, mac, '--inbound', rate, '--outbound', rate, '--config'])
    },

    start: domains.start,
    setAutostart: domains.setAutostart,
    askShutdown: domains.askShutdown,
    cutPower,

    async setPassword(serverId, username, password) {
      try {
        await boot.awaitGuestAgent(serverId, agentAnswersMs, new AbortController().signal)
      } catch (error) {
        unlessAway(error)
        throw new HypervisorError('the guest agent does not answer', { final: true, customer: text.noGuestAgent })
      }
      await guest.setPassword(serverId, username, password)
    },

    async insertPassword(serverId, username, passwordHash) {
      const { generation, seedDrive } = parseDomain(await virsh(['dumpxml', '--inactive', serverId]))
      if (!generation || !seedDrive) throw new HypervisorError('the machine has no drive of ours', { final: true })
      const path = storage.seedPath(serverId, generation)
      await createSeedImage(path, passwordLabel, (await host()).isoProgram, passwordSeed(username, passwordHash))
      await virsh(['change-media', serverId, seedDrive, path, '--update', '--config'])
    },

    async removeSeed(serverId) {
      if (await exists(serverId)) await ejectSeed(serverId)
      await storage.removeSeeds(serverId)
    },

    async remove(serverId) {
      await cutPower(serverId)
      if (await exists(serverId)) {
        await virsh([
          'undefine',
          serverId,
          '--nvram',
          '--managed-save',
          '--snapshots-metadata',
          '--checkpoints-metadata',
        ])
      }
      guards.forget(serverId)
      await storage.removeAll(serverId)
    },

    awaitBoot: boot.awaitBoot,
    tryLogin: (_serverId, access, password, hostKey) => logIn(access, password, hostKey),
    testConnection: readBanner,
  }
}
