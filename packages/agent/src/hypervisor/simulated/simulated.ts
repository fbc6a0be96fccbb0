import { join } from 'node:path'
import type { Inventory } from '@vps/shared/agent.contract'
import { compareGenerations, type Generation } from '@vps/shared/jobs'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { text } from '@vps/shared/text'
import { compare } from 'bcryptjs'
import type { SimulatedSettings } from '../../config.js'
import { openImageFolder } from '../../images/folder.js'
import { hashPassword } from '../../password-hash.js'
import { pause, pauseOrThrow } from '../../wait.js'
import {
  accessOf,
  type Found,
  type Hypervisor,
  HypervisorAway,
  HypervisorError,
  LoginRefused,
  nothingFound,
} from '../hypervisor.js'
import { takeFault } from './faults.js'
import { counter, wave } from './figures.js'
import { isOn, readState, type SimulatedDomain, type SimulatedState, writeState } from './state.js'

/** There from the beginning, without a file; others come into the folder, by hand or by the agent. */
const builtInImages = [
  'debian-12.qcow2',
  'ubuntu-24.04.qcow2',
  'ubuntu-22.04.qcow2',
  'centos-stream-9.qcow2',
  'rocky-9.qcow2',
  'tiny.qcow2',
]

/** How the time of an install is shared out; the start itself takes the time of a power action. */
const shares = {
  verifyImage: 0.1,
  createDisk: 0.15,
  createSeed: 0.05,
  define: 0.05,
  awaitBoot: 0.3,
  tryLogin: 0.1,
  removeSeed: 0.05,
}

const simulatedAway = { kind: 'libvirt', detail: 'simulated fault' } as const

/** A host that runs nothing, but keeps its machines in a file and behaves, and misbehaves, like one that does. */
export function openSimulated(settings: SimulatedSettings): Hypervisor {
  const path = join(settings.stateDir, 'simulated-host.json')
  const state = readState(path, settings.seedFile, Date.now())
  const never = new AbortController().signal
  const images = openImageFolder(join(settings.stateDir, 'images'))

  async function verifyImage({ file, sha256 }: MachineDescription['image']): Promise<void> {
    const there = await images.look(file)
    if (!there && !builtInImages.includes(file)) {
      throw new HypervisorError(`no image ${file}`, { final: true, customer: '宿主机上没有所选的系统镜像' })
    }
    if (there && sha256 !== null && (await images.hashOf(images.pathOf(file))) !== sha256) {
      throw new HypervisorError(`${file} is not the image that is meant`, { final: true, customer: '系统镜像校验失败' })
    }
  }

  /** Every act: its time, its fault, its effect, and the new state on disk. */
  async function act(verb: string, serverId: string, ms: number, effect: () => void, half?: () => void): Promise<void> {
    const fault = takeFault(settings.faultsFile, verb, serverId)
    if (fault === 'killBefore') process.kill(process.pid, 'SIGKILL')
    await pause(ms, never)
    if (fault === 'away') throw new HypervisorAway(simulatedAway)
    if (fault === 'hang') await new Promise(() => {})
    if (fault === 'fail') throw new HypervisorError(`simulated fault: ${verb} failed`)
    if (fault === 'lie') return
    if (fault === 'half') half?.()
    else effect()
    writeState(path, state)
    if (fault === 'killAfter') process.kill(process.pid, 'SIGKILL')
    if (fault === 'half') throw new HypervisorError(`simulated fault: ${verb} half done`)
    if (fault === 'lose') throw new HypervisorError(`simulated fault: the answer of ${verb} was lost`)
  }

  const share = (verb: keyof typeof shares) => settings.installMs * shares[verb]

  return {
    kind: 'simulated',
    images,
    open: async () => writeState(path, state),
    lookForAway: async () => (takeFault(settings.faultsFile, 'lookForAway', '') === 'away' ? simulatedAway : null),

    capacity: async () => ({
      hypervisor: 'simulated',
      hypervisorVersion: 'simulated 1',
      cpuCores: settings.cpuCores,
      memoryMb: settings.memoryMb,
      diskGb: settings.diskGb,
      addressGuard: 'nwfilter',
      limitsBandwidth: true,
    }),

    async inventory() {
      for (const uuid of Object.keys(state.domains))
        if (takeFault(settings.faultsFile, 'inventory', uuid) === 'undefine') delete state.domains[uuid]
      return {
        images: withBuiltIn((await images.list()).map((file) => ({ ...file, broken: null }))),
        changedBases: [],
        domains: Object.entries(state.domains).map(([uuid, domain]) => ({
          uuid,
          name: `vps-${uuid}`,
          power: isOn(domain, Date.now()) ? ('on' as const) : ('off' as const),
          generation: domain.generation,
          macs: [domain.mac],
          size: { cpuCores: domain.cpuCores, memoryMb: domain.memoryMb },
          autostart: domain.autostart,
          ...diskTold(state, uuid),
          ...bandwidthTold(domain),
          transient: false,
          unreadable: null,
        })),
        volumes: volumesOf(state),
      }
    },

    measureHost: async () => measureHost(settings, state, Date.now()),
    measure: async () => measure(state, Date.now()),

    find: async (serverId) => findIn(state, serverId, Date.now()),

    async verifyImage(image) {
      await act('verifyImage', '', share('verifyImage'), () => {})
      await verifyImage(image)
    },

    createDisk: (serverId, machine, generation) =>
      act(
        'createDisk',
        serverId,
        share('createDisk'),
        () => state.disks.push({ serverId, generation, diskGb: machine.diskGb, passwordHash: null }),
        () => state.debris.push({ serverId, name: `${serverId}.${stamp(generation)}.qcow2.new` }),
      ),

    createSeed: (serverId, _machine, generation, { passwordHash, hostKey }) =>
      act('createSeed', serverId, share('createSeed'), () => {
        state.seeds = state.seeds.filter((seed) => seed.serverId !== serverId)
        state.seeds.push({ serverId, generation, passwordHash, hostKey: hostKey.fingerprint })
      }),

    define: (serverId, machine, generation) =>
      act('define', serverId, share('define'), () => {
        state.domains[serverId] = newDomain(machine, generation, state.domains[serverId])
      }),

    guard: async () => {},

    start: (serverId) =>
      act('start', serverId, settings.powerMs, () => {
        const domain = domainIn(state, serverId)
        if (isOn(domain, Date.now())) return
        Object.assign(domain, { on: true, startedAtMs: Date.now(), offAtMs: null })
        readSeed(state, serverId, domain)
      }),

    setAutostart: (serverId, on) =>
      act('setAutostart', serverId, 0, () => {
        const domain = state.domains[serverId]
        if (domain) domain.autostart = on
      }),

    askShutdown: (serverId) =>
      act('askShutdown', serverId, 0, () => {
        const domain = state.domains[serverId]
        if (domain && isOn(domain, Date.now())) domain.offAtMs = Date.now() + settings.powerMs * 0.8
      }),

    cutPower: (serverId) =>
      act('cutPower', serverId, settings.powerMs * 0.3, () => {
        const domain = state.domains[serverId]
        if (domain) Object.assign(domain, { on: false, startedAtMs: null, offAtMs: null })
      }),

    async setPassword(serverId, _username, password) {
      if (findIn(state, serverId, Date.now()).power !== 'on')
        throw new HypervisorError('the guest agent does not answer', { final: true, customer: text.noGuestAgent })
      const hash = await hashPassword(password, 4)
      await act('setPassword', serverId, settings.powerMs * 0.8, () => {
        const disk = state.disks.find((one) => one.serverId === serverId)
        if (disk) disk.passwordHash = hash
      })
    },

    insertPassword: (serverId, _username, passwordHash) =>
      act('insertPassword', serverId, share('createSeed'), () => {
        const { generation } = offDomainIn(state, serverId)
        state.seeds = state.seeds.filter((seed) => seed.serverId !== serverId)
        state.seeds.push({ serverId, generation, passwordHash })
      }),

    removeSeed: (serverId) =>
      act('removeSeed', serverId, share('removeSeed'), () => {
        state.seeds = state.seeds.filter((seed) => seed.serverId !== serverId)
      }),

    resize: (serverId, size) =>
      act(
        'resize',
        serverId,
        settings.powerMs * 0.5,
        () => {
          const domain = offDomainIn(state, serverId)
          const { cpuCores, memoryMb, bandwidthMbps } = size
          Object.assign(domain, { cpuCores, memoryMb, ...(bandwidthMbps === null ? {} : { bandwidthMbps }) })
          growDisk(state, serverId, size.diskGb)
        },
        () => growDisk(state, serverId, size.diskGb),
      ),

    remove: (serverId) =>
      act(
        'remove',
        serverId,
        settings.powerMs * 0.5,
        () => {
          delete state.domains[serverId]
          const ofOthers = (one: { serverId: string }) => one.serverId !== serverId
          state.disks = state.disks.filter(ofOthers)
          state.seeds = state.seeds.filter(ofOthers)
          state.debris = state.debris.filter(ofOthers)
        },
        () => delete state.domains[serverId],
      ),

    async awaitBoot(serverId, _access, signal) {
      const fault = takeFault(settings.faultsFile, 'awaitBoot', serverId)
      if (fault === 'killBefore') process.kill(process.pid, 'SIGKILL')
      if (fault === 'away') throw new HypervisorAway(simulatedAway)
      if (fault === 'hang') await pause(2 ** 31 - 1, signal)
      await pauseOrThrow(share('awaitBoot'), signal)
      if (fault === 'fail') throw new HypervisorError('simulated fault: awaitBoot failed')
      if (findIn(state, serverId, Date.now()).power !== 'on') throw new HypervisorError('the machine went off')
      if (fault === 'killAfter') process.kill(process.pid, 'SIGKILL')
    },

    async tryLogin(serverId, _access, password, hostKey) {
      await act('tryLogin', serverId, share('tryLogin'), () => {})
      const disk = state.disks.find((one) => one.serverId === serverId)
      if (findIn(state, serverId, Date.now()).power !== 'on') throw new HypervisorError('connection refused')
      if (disk?.hostKey !== hostKey) throw new HypervisorError('the host key is another')
      if (!disk.passwordHash || !(await compare(password, disk.passwordHash)))
        throw new LoginRefused('the guest refused the password')
    },

    async testConnection(address, port) {
      const now = Date.now()
      const there = Object.values(state.domains).find(
        (one) => one.access.address === address && one.access.port === port,
      )
      return there && isOn(there, now) ? Math.round(wave(address, 'latency', now, 1, 9)) : null
    },
  }
}

function withBuiltIn(files: Inventory['images']): Inventory['images'] {
  const here = new Set(files.map(({ file }) => file))
  const builtIn = builtInImages.filter((file) => !here.has(file))
  return [...files, ...builtIn.map((file) => ({ file, bytes: 400 * 1024 * 1024, sha256: null, broken: null }))]
}

function newDomain(
  machine: MachineDescription,
  generation: Generation,
  before: SimulatedDomain | undefined,
): SimulatedDomain {
  return {
    generation,
    cpuCores: machine.cpuCores,
    memoryMb: machine.memoryMb,
    bandwidthMbps: machine.bandwidthMbps,
    mac: machine.network.mac,
    access: accessOf(machine),
    on: before?.on ?? false,
    autostart: before?.autostart ?? false,
    startedAtMs: before?.startedAtMs ?? null,
    offAtMs: before?.offAtMs ?? null,
  }
}

/** What the guest does with what is in its drive: the first boot takes all of a seed, every boot a one-time password. */
function readSeed(state: SimulatedState, serverId: string, domain: SimulatedDomain): void {
  const same = (one: { serverId: string; generation: Generation }) =>
    one.serverId === serverId && compareGenerations(one.generation, domain.generation) === 0
  const disk = state.disks.find(same)
  const seed = state.seeds.find(same)
  if (!disk || !seed) return
  if (seed.hostKey === undefined) disk.passwordHash = seed.passwordHash
  else if (disk.passwordHash === null) Object.assign(disk, { passwordHash: seed.passwordHash, hostKey: seed.hostKey })
}

function domainIn(state: SimulatedState, serverId: string): SimulatedDomain {
  const domain = state.domains[serverId]
  if (!domain) throw new HypervisorError('no such domain')
  if (!state.disks.some((disk) => disk.serverId === serverId)) throw new HypervisorError('the disk is missing')
  return domain
}

function offDomainIn(state: SimulatedState, serverId: string): SimulatedDomain {
  const domain = domainIn(state, serverId)
  if (isOn(domain, Date.now())) throw new HypervisorError('the machine is on')
  return domain
}

function growDisk(state: SimulatedState, serverId: string, diskGb: number | null): void {
  const disk = state.disks.find((one) => one.serverId === serverId)
  if (disk && diskGb !== null) disk.diskGb = Math.max(disk.diskGb, diskGb)
}

function diskTold(state: SimulatedState, serverId: string): { diskGb?: number } {
  const disk = state.disks.find((one) => one.serverId === serverId)
  return disk ? { diskGb: disk.diskGb } : {}
}

function bandwidthTold({ bandwidthMbps }: SimulatedDomain) {
  return bandwidthMbps === undefined ? {} : { bandwidthMbps: { inbound: bandwidthMbps, outbound: bandwidthMbps } }
}

function findIn(state: SimulatedState, serverId: string, nowMs: number): Found {
  const domain = state.domains[serverId]
  const made = (all: { serverId: string; generation: Generation }[]) =>
    all.filter((one) => one.serverId === serverId).map((one) => one.generation)
  return {
    ...nothingFound,
    ...(domain && {
      power: isOn(domain, nowMs) ? 'on' : 'off',
      autostart: domain.autostart,
      definedBy: domain.generation,
      access: domain.access,
      size: {
        cpuCores: domain.cpuCores,
        memoryMb: domain.memoryMb,
        diskGb: state.disks.find((disk) => disk.serverId === serverId)?.diskGb ?? null,
      },
    }),
    disks: made(state.disks),
    seeds: made(state.seeds),
  }
}

function volumesOf(state: SimulatedState): { name: string; bytes: number }[] {
  return [
    ...state.disks.map((disk) => ({
      name: `${disk.serverId}.${stamp(disk.generation)}.qcow2`,
      bytes: disk.diskGb * 1024 ** 3,
    })),
    ...state.seeds.map((seed) => ({ name: `${seed.serverId}.${stamp(seed.generation)}.seed.iso`, bytes: 366_592 })),
    ...state.debris.map(({ name }) => ({ name, bytes: 196_608 })),
  ]
}

function stamp({ epoch, number }: Generation): string {
  return `${epoch}.${number}`
}

function measure(state: SimulatedState, nowMs: number) {
  return Object.entries(state.domains).map(([serverId, domain]) => {
    const on = isOn(domain, nowMs)
    const seconds = on && domain.startedAtMs !== null ? Math.floor((nowMs - domain.startedAtMs) / 1000) : null
    return {
      serverId,
      power: on ? ('on' as const) : ('off' as const),
      cpuUsage: on ? wave(serverId, 'cpu', nowMs, 2, 75) : null,
      memoryUsage: on ? wave(serverId, 'memory', nowMs, 20, 80) : null,
      diskUsage: on ? wave(serverId, 'disk', nowMs / 50, 10, 60) : null,
      condition: null,
      uptimeSeconds: seconds,
      rxBytes: seconds === null ? null : counter(serverId, 'rx', seconds),
      txBytes: seconds === null ? null : counter(serverId, 'tx', seconds),
    }
  })
}

function measureHost(settings: SimulatedSettings, state: SimulatedState, nowMs: number) {
  const share = (used: number, of: number) => Math.min(100, Math.round((1000 * used) / of) / 10)
  const running = Object.values(state.domains).filter((domain) => isOn(domain, nowMs))
  // What the machine itself needs, so that its charts look like a machine's.
  const cpuUsage = Math.min(
    100,
    wave('host', 'cpu', nowMs, 8, 28) +
      share(running.reduce((sum, one) => sum + one.cpuCores, 0) * 0.4, settings.cpuCores),
  )
  return {
    cpuUsage: Math.round(cpuUsage * 10) / 10,
    memoryUsage: Math.min(
      100,
      wave('host', 'memory', nowMs, 36, 42) +
        share(
          running.reduce((sum, one) => sum + one.memoryMb, 0),
          settings.memoryMb,
        ),
    ),
    diskUsage: Math.min(
      100,
      12 +
        share(
          state.disks.reduce((sum, disk) => sum + disk.diskGb, 0),
          settings.diskGb,
        ),
    ),
    load1: Math.round(cpuUsage * settings.cpuCores) / 100,
  }
}
