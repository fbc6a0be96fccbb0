import type { MachineDescription } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import { type Hypervisor, HypervisorError } from '../hypervisor.js'
import { act, shareMs, type SimulatedHost } from './act.js'
import { growDisk, newDomain, offDomainIn } from './machines.js'
import { builtInImages, stamp } from './told.js'

export function makingOf(
  host: SimulatedHost,
): Pick<
  Hypervisor,
  'verifyImage' | 'createDisk' | 'createSeed' | 'insertPassword' | 'removeSeed' | 'define' | 'resize' | 'remove'
> {
  const { settings, state } = host
  const ofOthers = (serverId: string) => (one: { serverId: string }) => one.serverId !== serverId
  return {
    async verifyImage(image) {
      await act(host, { verb: 'verifyImage', serverId: '', ms: shareMs(host, 'verifyImage') }, () => {})
      await verifyImage(host, image)
    },

    createDisk: (serverId, machine, generation) =>
      act(
        host,
        { verb: 'createDisk', serverId, ms: shareMs(host, 'createDisk') },
        () => state.disks.push({ ...emptyDisk(), serverId, generation, diskGb: machine.diskGb }),
        () => state.debris.push({ serverId, name: `${serverId}.${stamp(generation)}.qcow2.new` }),
      ),

    createSeed: (serverId, _machine, generation, { passwordHash, hostKey }) =>
      act(host, { verb: 'createSeed', serverId, ms: shareMs(host, 'createSeed') }, () => {
        state.seeds = state.seeds.filter(ofOthers(serverId))
        state.seeds.push({ serverId, generation, passwordHash, hostKey: hostKey.fingerprint })
      }),

    insertPassword: (serverId, _username, passwordHash) =>
      act(host, { verb: 'insertPassword', serverId, ms: shareMs(host, 'createSeed') }, () => {
        const { generation } = offDomainIn(state, serverId)
        state.seeds = state.seeds.filter(ofOthers(serverId))
        state.seeds.push({ serverId, generation, passwordHash })
      }),

    removeSeed: (serverId) =>
      act(host, { verb: 'removeSeed', serverId, ms: shareMs(host, 'removeSeed') }, () => {
        state.seeds = state.seeds.filter(ofOthers(serverId))
      }),

    define: (serverId, machine, generation, { rescueId, iso } = {}) =>
      act(host, { verb: 'define', serverId, ms: shareMs(host, 'define') }, () => {
        const isMade = state.rescues.some((one) => one.serverId === serverId && one.id === rescueId)
        const domain = newDomain(machine, generation, state.domains[serverId])
        state.domains[serverId] = {
          ...domain,
          ...(isMade ? { rescueId } : {}),
          ...(iso ? { iso: { id: iso.isoId, boots: iso.boots } } : {}),
        }
      }),

    resize: (serverId, { cpuCores, memoryMb, diskGb, bandwidthMbps }) =>
      act(
        host,
        { verb: 'resize', serverId, ms: settings.powerMs * 0.5 },
        () => {
          const domain = offDomainIn(state, serverId)
          Object.assign(domain, { cpuCores, memoryMb, ...(bandwidthMbps === null ? {} : { bandwidthMbps }) })
          growDisk(state, serverId, diskGb)
        },
        () => growDisk(state, serverId, diskGb),
      ),

    remove: (serverId) =>
      act(
        host,
        { verb: 'remove', serverId, ms: settings.powerMs * 0.5 },
        () => {
          delete state.domains[serverId]
          state.disks = state.disks.filter(ofOthers(serverId))
          state.seeds = state.seeds.filter(ofOthers(serverId))
          state.rescues = state.rescues.filter(ofOthers(serverId))
          state.debris = state.debris.filter(ofOthers(serverId))
        },
        () => delete state.domains[serverId],
      ),
  }
}

const emptyDisk = () => ({ passwordHash: null, addresses: [], snapshots: [] })

async function verifyImage({ images }: SimulatedHost, { file, sha256 }: MachineDescription['image']): Promise<void> {
  const there = await images.look(file)
  if (!there && !builtInImages.includes(file)) {
    throw new HypervisorError(`no image ${file}`, { final: true, customer: text.imageNotOnHost })
  }
  if (there && sha256 !== null && (await images.hashOf(images.pathOf(file))) !== sha256) {
    throw new HypervisorError(`${file} is not the image that is meant`, { final: true, customer: text.imageCorrupt })
  }
}
