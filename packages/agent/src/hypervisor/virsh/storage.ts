import * as text from '@vps/shared/text'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Inventory } from '@vps/shared/agent.contract'
import { generation, type MachineDescription } from '@vps/shared/jobs.contract'
import type { Generation } from '@vps/shared/jobs'
import type { VirshSettings } from '../../config.js'
import type { ImageFolder } from '../../images/folder.js'
import { isSameFile } from '../../files.js'
import { HypervisorError } from '../hypervisor.js'
import { openBases } from './bases.js'
import { closeDisks, createDisk, type DiskPlace, growDisk, newDisk, readDiskGb, readImage } from './disks.js'
import { openImageCheck } from './image-check.js'
import { readQcow2 } from './qcow2.js'
import { openRoom, sizes } from './room.js'
import { removeHalfSeeds } from './seed-image.js'
import { sourceOf } from './thin-volumes.js'
import { isWiping, openWiping } from './wiping.js'

/**
 * One folder: `{server id}.{epoch}.{number}.qcow2` and `….seed.iso`: file and stamp appear at once. A rescue's have its
 * id and `.rescue`. Disks rest on `base/`, and are files or links to thin volumes.
 */
export function openStorage(
  dir: string,
  images: ImageFolder,
  { disks, thinPool, wipe }: Pick<VirshSettings, 'disks' | 'thinPool' | 'wipe'>,
  onTrouble: (error: unknown) => void,
) {
  const bases = openBases(dir, images)
  const wiping = openWiping(dir, wipe, { onTrouble, onWiped: bases.removeOld })
  const place: Place = {
    dir,
    images,
    disks,
    thinPool,
    bases,
    wiping,
    checkImage: openImageCheck(),
    infoOfBase: onceEach(readImage),
  }
  const diskPath = (serverId: string, made: Generation) => join(dir, `${serverId}.${stamp(made)}.qcow2`)
  const seedPath = (serverId: string, made: Generation) => join(dir, `${serverId}.${stamp(made)}.seed.iso`)
  return {
    diskPath,
    seedPath,
    serialLogPath: (serverId: string) => join(dir, `${serverId}.serial.log`),
    /** libvirt makes a missing one at start. */
    nvramPath: (serverId: string) => join(dir, `${serverId}.nvram`),
    /** The host's own unit reads it at boot, too. */
    scriptPath: (serverId: string, kind: ScriptKind) => join(dir, `${serverId}${endingOf(kind)}`),
    scripts: async (kind: ScriptKind) =>
      (await readdir(dir)).flatMap((name) =>
        name.endsWith(endingOf(kind)) ? [name.slice(0, -endingOf(kind).length)] : [],
      ),
    async prepare(): Promise<void> {
      await bases.prepare()
      await closeDisks(dir)
      await removeHalfSeeds(dir)
    },
    changedBases: bases.changed,
    goOnWiping: wiping.goOn,
    images: () => listImages(place),
    verifyImage: (image: MachineDescription['image']) => verifyImage(place, image),
    createDisk: async (path: string, machine: MachineDescription) =>
      createDisk(place, machine, path, await verifyHash(images, machine.image)),
    newDisk: (serverId: string, made: Generation, bytes: number, fill: (path: string) => Promise<void>) =>
      newDisk(place, diskPath(serverId, made), bytes, fill),
    removeOthers: (serverId: string, made: Generation) => removeOthers(place, serverId, made),
    hasDisk: (serverId: string, made: Generation) => exists(diskPath(serverId, made)),
    /** Also where it is not there. */
    isDisk: async (path: string, serverId: string, made: Generation) =>
      isSameFile(path, await sourceOf(diskPath(serverId, made))),
    growDisk: (serverId: string, made: Generation, diskGb: number) => growDisk(diskPath(serverId, made), diskGb),
    diskGb: (serverId: string, made: Generation) => readDiskGb(diskPath(serverId, made)),
    snapshots: async (serverId: string, made: Generation) =>
      (await readQcow2(diskPath(serverId, made)))?.snapshots ?? [],
    madeOf: (serverId: string) => madeOf(dir, serverId),
    rescuePath: (serverId: string, rescueId: string) => join(dir, `${serverId}.${rescueId}.rescue.qcow2`),
    rescueSeedPath: (serverId: string, rescueId: string) => join(dir, `${serverId}.${rescueId}.rescue.seed.iso`),
    removeRescues: (serverId: string) => removeRescues(place, serverId),
    removeSeeds: (serverId: string) => removeSeeds(place, serverId),
    removeAll: (serverId: string) => removeAll(place, serverId),
    volumes: () => sizes(dir, (name) => /\.(qcow2|seed\.iso)(\.new)?$/.test(name) || isWiping(name)),
    ...openRoom(dir, thinPool),
  }
}

/** One of ours, by its path. */
export const isSeed = (path: string): boolean => path.endsWith('.seed.iso')

/** For `nft`, beside a machine's disk. */
export type ScriptKind = 'firewall' | 'nat'

const endingOf = (kind: ScriptKind) => `.${kind}.nft`

export type Storage = ReturnType<typeof openStorage>

type Place = DiskPlace & { dir: string; images: ImageFolder; checkImage: ReturnType<typeof openImageCheck> }

/** The one meant, whole, its base unchanged. */
async function verifyImage({ images, bases, checkImage }: Place, image: MachineDescription['image']): Promise<void> {
  const broken = await checkImage(images.pathOf(image.file))
  if (broken !== null) throw new HypervisorError(broken, { final: true, customer: text.imageUnusable })
  await bases.check(await verifyHash(images, image))
}

async function verifyHash(images: ImageFolder, image: MachineDescription['image']): Promise<string> {
  const path = images.pathOf(image.file)
  if (!(await exists(path))) {
    throw new HypervisorError(`no image ${path}`, { final: true, customer: text.imageNotOnHost })
  }
  const hash = await images.hashOf(path)
  if (image.sha256 !== null && image.sha256 !== hash) {
    throw new HypervisorError(`${path} has SHA-256 ${hash}, not ${image.sha256}`, {
      final: true,
      customer: text.imageCorrupt,
    })
  }
  return hash
}

async function listImages({ images, checkImage }: Place): Promise<Inventory['images']> {
  const all = await images.list()
  return Promise.all(all.map(async (one) => ({ ...one, broken: await checkImage(images.pathOf(one.file)) })))
}

function onceEach<Answer>(ask: (path: string) => Promise<Answer>): (path: string) => Promise<Answer> {
  const known = new Map<string, Answer>()
  return async (path) => {
    const answer = known.get(path) ?? (await ask(path))
    known.set(path, answer)
    return answer
  }
}

async function madeOf(dir: string, serverId: string) {
  const names = await filesOf(dir, serverId)
  const rescues = names.flatMap((name) => /^\.(.+)\.rescue\.qcow2$/.exec(name.slice(36))?.[1] ?? [])
  const hasHalf = names.some((name) => name.endsWith('.qcow2.new'))
  return { disks: stampsOf(names, '.qcow2'), hasHalf, seeds: stampsOf(names, '.seed.iso'), rescues }
}

const removeSeeds = (place: Place, serverId: string) =>
  removeFiles(place, serverId, (name) => name.includes('.seed.iso'))

async function removeOthers(place: Place, serverId: string, made: Generation): Promise<void> {
  const own = `${serverId}.${stamp(made)}.qcow2`
  await removeFiles(place, serverId, (name) => /\.(qcow2|seed\.iso)(\.new)?$/.test(name) && name !== own)
  await place.bases.removeOld()
}

async function removeAll(place: Place, serverId: string): Promise<void> {
  await removeFiles(place, serverId, () => true)
  await place.bases.removeOld()
}

async function removeRescues(place: Place, serverId: string): Promise<void> {
  await removeFiles(place, serverId, (name) => name.includes('.rescue.'))
  await place.bases.removeOld()
}

async function removeFiles(
  { dir, wiping }: Place,
  serverId: string,
  isMeant: (name: string) => boolean,
): Promise<void> {
  const names = (await filesOf(dir, serverId)).filter(isMeant)
  // What tells that something is left goes last.
  const isTold = (name: string) => /\.qcow2(\.new)?$/.test(name)
  await wiping.remove([...names.filter((name) => !isTold(name)), ...names.filter(isTold)])
}

/** Its firewall outlives the machine. */
async function filesOf(dir: string, serverId: string): Promise<string[]> {
  return (await readdir(dir)).filter(
    (name) => name.startsWith(`${serverId}.`) && !name.endsWith(endingOf('firewall')) && !isWiping(name),
  )
}

function stamp({ epoch, number }: Generation): string {
  return `${epoch}.${number}`
}

function stampsOf(names: string[], ending: string): Generation[] {
  return names.flatMap((name) => {
    if (!name.endsWith(ending)) return []
    const [epoch, number, ...rest] = name.slice(37, -ending.length).split('.')
    const parsed = generation.safeParse({ epoch: Number(epoch), number: Number(number) })
    return parsed.success && rest.length === 0 ? [parsed.data] : []
  })
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
