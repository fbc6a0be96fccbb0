import * as text from '@vps/shared/text'
import { access, chmod, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Inventory } from '@vps/shared/agent.contract'
import { generation, type MachineDescription } from '@vps/shared/jobs.contract'
import type { Generation } from '@vps/shared/jobs'
import * as z from 'zod'
import type { VirshSettings } from '../../config.js'
import type { ImageFolder } from '../../images/folder.js'
import { isSameFile, syncFolder } from '../../files.js'
import { HypervisorError } from '../hypervisor.js'
import { openBases } from './bases.js'
import { openImageCheck } from './image-check.js'
import { readQcow2 } from './qcow2.js'
import { capacityGb, causeOf, sizes, usage } from './room.js'
import { run } from './run.js'
import { removeHalfSeeds } from './seed-image.js'
import { isWiping, openWiping } from './wiping.js'

/**
 * One folder: `{server id}.{epoch}.{number}.qcow2` and `….seed.iso`: file and stamp appear at once. A rescue's have its
 * id and `.rescue`. Disks rest on `base/`.
 */
export function openStorage(
  dir: string,
  images: ImageFolder,
  { disks, wipe }: Pick<VirshSettings, 'disks' | 'wipe'>,
  onTrouble: (error: unknown) => void,
) {
  const bases = openBases(dir, images)
  const wiping = openWiping(dir, wipe, { onTrouble, onWiped: bases.removeOld })
  const place: Place = {
    dir,
    images,
    disks,
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
    createDisk: (path: string, machine: MachineDescription) => createDisk(place, machine, path),
    newDisk: (serverId: string, made: Generation, bytes: number, fill: (path: string) => Promise<void>) =>
      newDisk(place, diskPath(serverId, made), bytes, fill),
    removeOthers: (serverId: string, made: Generation) => removeOthers(place, serverId, made),
    hasDisk: (serverId: string, made: Generation) => exists(diskPath(serverId, made)),
    isDisk: (path: string, serverId: string, made: Generation) => isSameFile(path, diskPath(serverId, made)),
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
    capacityGb: () => capacityGb(dir),
    causeOf: <Condition extends string>(condition: Condition) => causeOf(dir, condition),
    usage: () => usage(dir),
  }
}

/** One of ours, by its path. */
export const isSeed = (path: string): boolean => path.endsWith('.seed.iso')

/** For `nft`, beside a machine's disk. */
export type ScriptKind = 'firewall' | 'nat'

const endingOf = (kind: ScriptKind) => `.${kind}.nft`

export type Storage = ReturnType<typeof openStorage>

type Place = {
  dir: string
  images: ImageFolder
  disks: VirshSettings['disks']
  bases: ReturnType<typeof openBases>
  wiping: ReturnType<typeof openWiping>
  checkImage: ReturnType<typeof openImageCheck>
  /** Named by its content's hash: its info stays. */
  infoOfBase: typeof readImage
}

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

/** Thin, at least as large as the image; or a copy, of the base: the image's file may be replaced meanwhile. */
async function createDisk(
  { dir, images, disks, bases, infoOfBase }: Place,
  machine: MachineDescription,
  path: string,
): Promise<void> {
  const { image, diskGb } = machine
  const hash = await verifyHash(images, image)
  await bases.use(image.file, hash, async (base) => {
    const info = await infoOfBase(base)
    if (info['backing-filename'] !== undefined) {
      throw new HypervisorError(`${image.file} is not whole: it is based on another file`, {
        final: true,
        customer: text.imageUnusable,
      })
    }
    const bytes = String(Math.max(diskGb * 1024 ** 3, info['virtual-size']))
    const half = `${path}.new`
    try {
      if (disks === 'overlay') {
        await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', base, '-F', info.format, half, bytes])
      } else {
        const converted = ['convert', '-q', '-f', info.format, '-O', 'qcow2', base, half]
        await run('qemu-img', converted, { timeoutMs: copyMs })
        await run('qemu-img', ['resize', '-q', '-f', 'qcow2', half, bytes])
      }
      await chmod(half, ownerAlone)
      await rename(half, path)
    } finally {
      // It may have taken the last room, which machines need.
      await rm(half, { force: true })
    }
    await syncFolder(dir)
  })
}

async function newDisk(
  { dir, wiping }: Place,
  path: string,
  bytes: number,
  fill: (path: string) => Promise<void>,
): Promise<void> {
  const half = `${path}.new`
  const removeHalf = async () => wiping.remove((await exists(half)) ? [basename(half)] : [])
  await removeHalf()
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', half, String(bytes)])
  try {
    await chmod(half, ownerAlone)
    await fill(half)
    await rename(half, path)
  } finally {
    await removeHalf()
  }
  await syncFolder(dir)
}

const copyMs = 10 * 60_000

/** qemu-img's files are everybody's to read, and QEMU's arguments tell their names. libvirt hands them to QEMU's user. */
const ownerAlone = 0o600

/** Of an earlier agent. */
async function closeDisks(dir: string): Promise<void> {
  const disks = (await readdir(dir)).filter((name) => name.includes('.qcow2'))
  // One may go meanwhile.
  await Promise.all(disks.map((name) => chmod(join(dir, name), ownerAlone).catch(() => {})))
}

/** Never smaller; its machine must be off. */
async function growDisk(path: string, diskGb: number): Promise<void> {
  const bytes = diskGb * 1024 ** 3
  if ((await readImage(path))['virtual-size'] >= bytes) return
  await run('qemu-img', ['resize', '-q', '-f', 'qcow2', path, String(bytes)])
}

/** Null where it is missing, or as large as its image and cannot be smaller. */
async function readDiskGb(path: string): Promise<number | null> {
  const disk = await readQcow2(path)
  if (!disk) return null
  const least = disk.backing === null ? 0 : ((await readQcow2(disk.backing))?.virtualBytes ?? 0)
  return disk.virtualBytes === least ? null : Math.ceil(disk.virtualBytes / 1024 ** 3)
}

async function readImage(path: string): Promise<z.infer<typeof imageInfo>> {
  return imageInfo.parse(JSON.parse(await run('qemu-img', ['info', '--output=json', path])))
}

function onceEach<Answer>(ask: (path: string) => Promise<Answer>): (path: string) => Promise<Answer> {
  const known = new Map<string, Answer>()
  return async (path) => {
    const answer = known.get(path) ?? (await ask(path))
    known.set(path, answer)
    return answer
  }
}

const imageInfo = z.looseObject({
  format: z.enum(['qcow2', 'raw']),
  'virtual-size': z.number(),
  'backing-filename': z.string().optional(),
})

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
