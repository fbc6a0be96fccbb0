import * as text from '@vps/shared/text'
import { access, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Inventory } from '@vps/shared/agent.contract'
import { generation, type MachineDescription } from '@vps/shared/jobs.contract'
import type { Generation } from '@vps/shared/jobs'
import * as z from 'zod'
import type { ImageFolder } from '../../images/folder.js'
import { syncFolder } from '../../files.js'
import { HypervisorError } from '../hypervisor.js'
import { openBases } from './bases.js'
import { openImageCheck } from './image-check.js'
import { readQcow2 } from './qcow2.js'
import { run } from './run.js'

/**
 * Files of the machines, all in one folder: `{server id}.{epoch}.{number}.qcow2` and `….seed.iso`. The generation that
 * made a file is part of its name, so that a file and its stamp appear in one step. What the disks rest on is in
 * `base/`.
 */
export function openStorage(storageDir: string, images: ImageFolder) {
  const bases = openBases(storageDir, images)
  const checkImage = openImageCheck()

  const diskPath = (serverId: string, made: Generation) => join(storageDir, `${serverId}.${stamp(made)}.qcow2`)
  const seedPath = (serverId: string, made: Generation) => join(storageDir, `${serverId}.${stamp(made)}.seed.iso`)

  /** Checks that the image is there and the one that is meant; gives its hash. */
  async function verify(image: MachineDescription['image']): Promise<string> {
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

  async function makeDisk(base: string, { image, diskGb }: MachineDescription, path: string): Promise<void> {
    const info = imageInfo.parse(JSON.parse(await run('qemu-img', ['info', '--output=json', base])))
    if (info['backing-filename'] !== undefined) {
      throw new HypervisorError(`${image.file} is not whole: it is based on another file`, {
        final: true,
        customer: text.imageUnusable,
      })
    }
    const bytes = String(Math.max(diskGb * 1024 ** 3, info['virtual-size']))
    await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', base, '-F', info.format, `${path}.new`, bytes])
    await rename(`${path}.new`, path)
    await syncFolder(storageDir)
  }

  async function filesOf(serverId: string): Promise<string[]> {
    return (await readdir(storageDir)).filter((name) => name.startsWith(`${serverId}.`))
  }

  return {
    diskPath,
    seedPath,

    /** Whether a disk can be made of the image: it is the one that is meant, whole, and its base was not changed. */
    async verifyImage(image: MachineDescription['image']): Promise<void> {
      const broken = await checkImage(images.pathOf(image.file))
      if (broken !== null) throw new HypervisorError(broken, { final: true, customer: text.imageUnusable })
      await bases.check(await verify(image))
    },

    /** The images that are here, each with what is wrong with it. */
    async images(): Promise<Inventory['images']> {
      const all = await images.list()
      return Promise.all(all.map(async (one) => ({ ...one, broken: await checkImage(images.pathOf(one.file)) })))
    },

    prepare: bases.prepare,
    changedBases: bases.changed,

    /** A thin disk over the image, at least as large as the image itself. */
    async createDisk(serverId: string, machine: MachineDescription, made: Generation): Promise<void> {
      const hash = await verify(machine.image)
      await bases.use(machine.image.file, hash, (base) => makeDisk(base, machine, diskPath(serverId, made)))
    },

    /** Makes a disk larger, never smaller; its machine must be off. */
    async growDisk(serverId: string, made: Generation, diskGb: number): Promise<void> {
      const path = diskPath(serverId, made)
      const info = imageInfo.parse(JSON.parse(await run('qemu-img', ['info', '--output=json', path])))
      const bytes = diskGb * 1024 ** 3
      if (info['virtual-size'] < bytes) await run('qemu-img', ['resize', '-q', '-f', 'qcow2', path, String(bytes)])
    },

    /** How large a machine's disk is; null where it cannot be smaller, being as large as its image, or is not there. */
    async diskGb(serverId: string, made: Generation): Promise<number | null> {
      const disk = await readQcow2(diskPath(serverId, made))
      if (!disk) return null
      const least = disk.backing === null ? 0 : ((await readQcow2(disk.backing))?.virtualBytes ?? 0)
      return disk.virtualBytes === least ? null : Math.ceil(disk.virtualBytes / 1024 ** 3)
    },

    /** Generations of the whole disks and seeds that are there. */
    async madeOf(serverId: string): Promise<{ disks: Generation[]; seeds: Generation[] }> {
      const names = await filesOf(serverId)
      return { disks: stampsOf(names, '.qcow2'), seeds: stampsOf(names, '.seed.iso') }
    },

    async removeSeeds(serverId: string): Promise<void> {
      for (const name of await filesOf(serverId))
        if (name.includes('.seed.iso')) await rm(join(storageDir, name), { force: true })
    },

    /** Everything of a server, half-made files included. */
    async removeAll(serverId: string): Promise<void> {
      for (const name of await filesOf(serverId)) await rm(join(storageDir, name), { force: true })
      await syncFolder(storageDir)
      await bases.removeOld()
    },

    async volumes(): Promise<{ name: string; bytes: number }[]> {
      return sizes(storageDir, (name) => /\.(qcow2|seed\.iso)(\.new)?$/.test(name))
    },

    /** What our machines may use in all: what is free, and what they use already. */
    async capacityGb(): Promise<number> {
      const { bavail, bsize } = await statfs(storageDir)
      let used = 0
      for (const name of await readdir(storageDir)) {
        const file = await stat(join(storageDir, name)).catch(() => null)
        if (file?.isFile()) used += file.blocks * 512
      }
      return Math.max(1, Math.floor((bavail * bsize + used) / 1024 ** 3))
    },

    /** A write that failed because there is no room is one that an operator can mend by making some. */
    async causeOf<Condition extends string>(condition: Condition): Promise<Condition | 'disk-full'> {
      const { bavail, bsize } = await statfs(storageDir)
      return condition === 'io-error' && bavail * bsize < fullBytes ? 'disk-full' : condition
    },

    async usage(): Promise<number> {
      const { blocks, bfree } = await statfs(storageDir)
      return Math.round((1000 * (blocks - bfree)) / blocks) / 10
    },
  }
}

/** So little room is none: a disk grows by clusters, and others write, too. */
const fullBytes = 64 * 1024 ** 2

export type Storage = ReturnType<typeof openStorage>

const imageInfo = z.looseObject({
  format: z.enum(['qcow2', 'raw']),
  'virtual-size': z.number(),
  'backing-filename': z.string().optional(),
})

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

async function sizes(folder: string, wanted: (name: string) => boolean): Promise<{ name: string; bytes: number }[]> {
  const names = await readdir(folder).catch(() => [])
  const found: { name: string; bytes: number }[] = []
  for (const name of names.filter(wanted)) {
    // Removed since the folder was read: no longer there.
    const file = await stat(join(folder, name)).catch(() => null)
    if (file?.isFile()) found.push({ name, bytes: file.size })
  }
  return found
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
