import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostCapacity, Inventory } from '@vps/shared/agent.contract'
import type { Generation } from '@vps/shared/jobs'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import type { VirshSettings } from '../../config.js'
import { openImageFolder } from '../../images/folder.js'
import { until } from '../../wait.js'
import {
  type Access,
  type Found,
  GuestStill,
  type Hypervisor,
  HypervisorAway,
  HypervisorError,
  nothingFound,
  unlessAway,
} from '../hypervisor.js'
import { logIn, readBanner } from '../ssh-proof.js'
import { domainName, domainXml, kibPerSecond, resizedXml } from './domain-xml.js'
import { openGuest } from './guest.js'
import { passwordLabel } from './guest-scripts.js'
import { openGuards } from './guards.js'
import { openMeasure } from './measure.js'
import { conditionOf, figure, movementOf, parseDomain, parseList, parseStats, powerOf } from './parse.js'
import { checkPresence, probe, requirePrograms } from './probe.js'
import { readDomains } from './read-domains.js'
import { type Virsh, VirshError, virshOn } from './run.js'
import { createSeedImage, passwordSeed, seedFiles } from './seed-image.js'
import { openStorage } from './storage.js'

/** Memory that stays with the host itself: 1 GiB, or a twentieth of a larger host. */
const hostShare = { leastMb: 1024, part: 1 / 20 }

/** A guest that can be asked is asked in an instant; one whose QEMU hangs would hold up whoever asks. */
const askMs = 5000

/** A guest that boots is looked at so often; each look is a process. */
const movementEveryMs = 1000

/** A guest agent that is there answers at once. */
const agentAnswersMs = 10_000

/** How virsh says that it has lost libvirt. */
const connectionLost =
  /failed to connect|cannot (recv|write) data|end of file while reading|socket is closed|connection (reset|refused)|broken pipe/i

/** libvirt through virsh. Reads only what libvirt prints for programs, and asks again rather than trusting an answer. */
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

  const exists = async (serverId: string) => (await virsh(['list', '--all', '--uuid'])).includes(serverId)

  async function statsOf(serverId: string) {
    const [stats] = parseStats(await virsh(['domstats', '--raw', '--state', '--nowait', serverId])).values()
    return stats
  }

  /** What a guest has done so far, as `movementOf` tells it; null where its QEMU does not answer. */
  async function askMovement(serverId: string): Promise<string | null> {
    const figures = ['--block', '--interface', '--nowait']
    const told = await virsh(['domstats', '--raw', ...figures, serverId], { timeoutMs: askMs }).catch((error) => {
      unlessAway(error)
      return ''
    })
    const [stats] = parseStats(told).values()
    return movementOf(stats)
  }

  async function power(serverId: string): Promise<Found['power']> {
    return (await exists(serverId)) ? powerOf(await statsOf(serverId)) : 'absent'
  }

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

  async function cutPower(serverId: string): Promise<void> {
    const before = await power(serverId)
    if (before === 'off' || before === 'absent') return
    try {
      await virsh(['destroy', serverId])
    } catch (error) {
      // It may have gone off by itself in between.
      const now = await power(serverId)
      if (now !== 'off' && now !== 'absent') throw error
    }
  }

  async function defineXml(xml: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'vps-domain-'))
    try {
      const file = join(folder, 'domain.xml')
      await writeFile(file, xml)
      await virsh(['define', '--validate', file])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Throws where no waiting helps: the machine was stopped because its disk cannot be written, or nothing in it moves. */
  async function powerWhileBooting(serverId: string, watch: Watch): Promise<Found['power']> {
    if (!(await exists(serverId))) return 'absent'
    const stats = await statsOf(serverId)
    const condition = conditionOf(stats)
    if (condition === 'io-error') {
      const full = (await storage.causeOf(condition)) === 'disk-full'
      throw new HypervisorError(`the machine is paused: ${full ? 'no room left in the storage' : 'I/O error'}`, {
        final: true,
        customer: full ? '宿主机存储空间不足' : '宿主机的磁盘读写出错',
      })
    }
    const power = powerOf(stats)
    if (power === 'on') await watch(() => askMovement(serverId))
    return power
  }

  async function awaitGuestAgent(
    serverId: string,
    limitMs: number,
    signal: AbortSignal,
    look: () => Promise<void> = async () => {},
  ): Promise<void> {
    const answers = async () => {
      await look()
      return (await guest.ping(serverId)) || null
    }
    await until(answers, {
      everyMs: 500,
      limitMs,
      signal,
      late: () =>
        new HypervisorError('the guest agent does not answer', {
          customer: '服务器内的代理没有响应，请确认系统正在运行',
        }),
    })
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

    async inventory() {
      const domains: Inventory['domains'] = []
      const all = await readDomains(virsh)
      const isHeld = await guards.standing()
      const listed = async (which: string) => new Set((await virsh(['list', '--all', which, '--uuid'])).split(/\s+/))
      const [transients, autostarted] = [await listed('--transient'), await listed('--autostart')]
      const limitsBandwidth = (await host()).bandwidth
      for (const { uuid, name, power } of all) {
        const transient = transients.has(uuid)
        try {
          const { generation, macs, size, guard, bandwidthMbps } = parseDomain(
            await virsh(['dumpxml', '--inactive', uuid]),
          )
          guards.note(uuid, guard)
          const guarded = generation && power === 'on' ? isHeld(uuid) : undefined
          const diskGb = generation ? await storage.diskGb(uuid, generation) : null
          const seen = { uuid, name, power, generation, macs, size: size ?? null, transient, unreadable: null }
          domains.push({
            ...seen,
            autostart: autostarted.has(uuid),
            ...(diskGb === null ? {} : { diskGb }),
            ...(limitsBandwidth ? { bandwidthMbps } : {}),
            ...(guarded === undefined ? {} : { guarded }),
          })
        } catch (error) {
          unlessAway(error)
          // Gone in between, or one that cannot be read: the others are told as ever.
          if (!(await exists(uuid))) continue
          const unreadable = (error instanceof Error ? error.message : String(error)).slice(0, 300)
          domains.push({ uuid, name, power, generation: null, macs: [], size: null, transient, unreadable })
        }
      }
      const changedBases = await storage.changedBases()
      return { images: await storage.images(), changedBases, domains, volumes: await storage.volumes() }
    },

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

    async start(serverId) {
      const stats = await statsOf(serverId)
      if (powerOf(stats) === 'on') return
      const paused = figure(stats, 'state.state') === 3
      try {
        await virsh([paused ? 'resume' : 'start', serverId])
      } catch (error) {
        if ((await power(serverId)) !== 'on') throw error
      }
    },

    async setAutostart(serverId, on) {
      if (await exists(serverId))
        await virsh(['autostart', serverId, ...(on ? [] : ['--disable'])], { timeoutMs: askMs })
    },

    async askShutdown(serverId) {
      if ((await power(serverId)) !== 'on') return
      // A guest that cannot be asked, or has gone off by now, is the caller's wait to deal with.
      await virsh(['shutdown', serverId], { timeoutMs: askMs }).catch(unlessAway)
    },

    cutPower,

    async setPassword(serverId, username, password) {
      try {
        await awaitGuestAgent(serverId, agentAnswersMs, new AbortController().signal)
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

    async awaitBoot(serverId: string, access: Access, signal: AbortSignal, stillMs = Number.POSITIVE_INFINITY) {
      const watch = watchStillness(stillMs)
      if (access.readiness === 'guest-agent')
        return awaitGuestAgent(serverId, 2 ** 31, signal, async () => void (await powerWhileBooting(serverId, watch)))
      await until(
        async () => {
          const now = await powerWhileBooting(serverId, watch)
          if (now === 'off' || now === 'absent') {
            throw new HypervisorError(`the machine went ${now} while it booted`, { customer: '系统启动时意外关机' })
          }
          if (access.readiness === 'none') return now === 'on' ? true : null
          return (await readBanner(access.address, access.port, 3000)) === null ? null : true
        },
        { everyMs: 300, limitMs: 2 ** 31, signal, late: () => new HypervisorError('the guest did not come up') },
      )
    },

    tryLogin: (_serverId, access, password, hostKey) => logIn(access, password, hostKey),
    testConnection: readBanner,
  }
}

type Watch = (ask: () => Promise<string | null>) => Promise<void>

/** Asks once a second; throws when the answer has been the same for so long, or there was none. */
function watchStillness(stillMs: number): Watch {
  let last: string | null = null
  let sinceMs = performance.now()
  let askedMs = Number.NEGATIVE_INFINITY
  return async (ask) => {
    if (performance.now() - askedMs < movementEveryMs) return
    const movement = await ask()
    askedMs = performance.now()
    if (movement !== last) sinceMs = askedMs
    last = movement
    if (askedMs - sinceMs < stillMs) return
    if (movement !== null) throw new GuestStill(stillMs)
    throw new HypervisorError('the QEMU of the machine does not answer', { final: true, customer: '虚拟机没有响应' })
  }
}
