import { join } from 'node:path'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import { compare } from 'bcryptjs'
import type { SimulatedSettings } from '../../config.js'
import { openImageFolder } from '../../images/folder.js'
import { hashPassword } from '../../password-hash.js'
import { pause, pauseOrThrow } from '../../wait.js'
import { type Hypervisor, HypervisorAway, HypervisorError, LoginRefused } from '../hypervisor.js'
import { claimFault } from './faults.js'
import { wave } from './figures.js'
import { domainIn, findIn, growDisk, newDomain, offDomainIn, readSeed } from './machines.js'
import { isOn, readState, writeState } from './state.js'
import { bandwidthTold, builtInImages, diskTold, measure, measureHost, stamp, volumesOf, withBuiltIn } from './told.js'

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
      throw new HypervisorError(`no image ${file}`, { final: true, customer: text.imageNotOnHost })
    }
    if (there && sha256 !== null && (await images.hashOf(images.pathOf(file))) !== sha256) {
      throw new HypervisorError(`${file} is not the image that is meant`, { final: true, customer: text.imageCorrupt })
    }
  }

  /** Every act: its time, its fault, its effect, and the new state on disk. */
  async function act(verb: string, serverId: string, ms: number, effect: () => void, half?: () => void): Promise<void> {
    const fault = claimFault(settings.faultsFile, verb, serverId)
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
    checkPresence: async () => (claimFault(settings.faultsFile, 'checkPresence', '') === 'away' ? simulatedAway : null),

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
        if (claimFault(settings.faultsFile, 'inventory', uuid) === 'undefine') delete state.domains[uuid]
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
      const fault = claimFault(settings.faultsFile, 'awaitBoot', serverId)
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
