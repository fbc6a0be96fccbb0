import * as text from '@vps/shared/text'
import { constants, existsSync, type Stats } from 'node:fs'
import { chmod, copyFile, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Inventory } from '@vps/shared/agent.contract'
import { refuseLate } from '../../deadline.js'
import { isMissing, makePassable, passable, syncFolder } from '../../files.js'
import type { ImageFolder } from '../../images/folder.js'
import { takingTurns } from '../../wait.js'
import { HypervisorError } from '../hypervisor.js'
import { readQcow2 } from './qcow2.js'
import { deviceOf } from './thin-volumes.js'

/**
 * `base/{hash}.img`: a read-only copy of an image, until no disk rests on it. The image may be replaced or deleted. A
 * base whose content changed damages its disks: never used again, and told.
 */
export function openBases(storageDir: string, images: ImageFolder) {
  const place: Place = { storageDir, dir: join(storageDir, 'base'), images }
  const { dir } = place
  // Installs on one image share it, and none is removed between its making and its first disk.
  const inTurn = takingTurns()

  return {
    async prepare(): Promise<void> {
      await makePassable(dir)
      // Made by an earlier agent, whose umask had closed it.
      await chmod(dir, passable)
      await removeHalves(dir)
      await inTurn(() => partFromImages(dir, images))
    },
    check: (hash: string) => inTurn(() => check(place, hash)),
    use: (file: string, hash: string, act: (base: string) => Promise<void>) =>
      inTurn(() => use(place, file, hash, act)),
    removeOld: () => inTurn(() => removeOld(place)),
    changed: () => inTurn(() => findChanged(place)),
  }
}

type Place = { storageDir: string; dir: string; images: ImageFolder }

const pathOf = ({ dir }: Place, hash: string) => join(dir, `${hash}.img`)

/** Throws where disks rest on it and it is not what its name says. */
async function check(place: Place, hash: string): Promise<void> {
  const base = pathOf(place, hash)
  if (!(await hashes(place)).includes(hash) || (await isGood(place, hash))) return
  if ((await usersOf(place)).has(hash)) {
    throw new HypervisorError(`${base} was changed`, { final: true, customer: text.imageUnusable })
  }
  await rm(base, { force: true })
}

async function use(place: Place, file: string, hash: string, act: (base: string) => Promise<void>): Promise<void> {
  // Its turn may have come late.
  refuseLate()
  await check(place, hash)
  if (!(await hashes(place)).includes(hash)) await make(place, file, hash)
  await act(pathOf(place, hash))
}

async function make(place: Place, file: string, hash: string): Promise<void> {
  const { images } = place
  const base = pathOf(place, hash)
  const half = `${base}${halfEnding}`
  await makePassable(place.dir)
  try {
    // Shared until written to, where the file system can.
    await copy(await realpath(images.pathOf(file)), half)
    await chmod(half, 0o444)
    if ((await images.hashOf(half)) !== hash) throw new HypervisorError(`${file} was replaced just now`)
    await rename(half, base)
  } finally {
    await rm(half, { force: true })
  }
  await syncFolder(place.dir)
}

const halfEnding = '.new'

/** Of an agent that was killed. */
async function removeHalves(dir: string): Promise<void> {
  const halves = (await readdir(dir)).filter((name) => name.endsWith(halfEnding))
  await Promise.all(halves.map((name) => rm(join(dir, name), { force: true })))
}

async function removeOld(place: Place): Promise<void> {
  if (await hasUnread(place)) return
  const [users, current] = [await usersOf(place), await place.images.list()]
  for (const hash of await hashes(place)) {
    const base = pathOf(place, hash)
    const { size } = await stat(base)
    // An unread image may be this one if as large.
    const wanted = current.some((image) => (image.sha256 === null ? image.bytes === size : image.sha256 === hash))
    if (!wanted && !users.has(hash)) await rm(base, { force: true })
  }
}

/** Volumes that are not active, or going: what they rest on is not known. */
async function hasUnread({ storageDir }: Place): Promise<boolean> {
  for (const name of await readdir(storageDir)) {
    const device = await deviceOf(join(storageDir, name))
    if (device !== null && !existsSync(device)) return true
  }
  return false
}

/**
 * Under disks. A file is read again only when written to. Where one changed, images are read too: the API must know
 * which are the same. One that was deleted is made anew of the same image, before its machines start next.
 */
async function findChanged(place: Place): Promise<NonNullable<Inventory['changedBases']>> {
  const { images } = place
  const found = []
  for (const [sha256, disks] of await usersOf(place)) {
    if (!(await isThere(place, sha256))) found.push({ sha256, disks: disks.length })
  }
  if (found.length > 0) for (const { file } of await images.list()) await images.hashOf(images.pathOf(file))
  const there = await hashes(place)
  const left = []
  for (const base of found) if (there.includes(base.sha256) || !(await makeAgain(place, base.sha256))) left.push(base)
  return left
}

const isThere = async (place: Place, hash: string) =>
  (await hashes(place)).includes(hash) && (await isGood(place, hash))

/** Of any image that is the same; one that cannot be made, for want of room, is told. */
async function makeAgain(place: Place, hash: string): Promise<boolean> {
  const image = (await place.images.list()).find(({ sha256 }) => sha256 === hash)
  if (!image) return false
  return make(place, image.file, hash).then(
    () => true,
    () => false,
  )
}

async function isGood(place: Place, hash: string): Promise<boolean> {
  return (await place.images.hashOf(pathOf(place, hash))) === hash
}

async function hashes({ dir }: Place): Promise<string[]> {
  // Deleted as a whole, it comes back with the first base.
  const names = await readdir(dir).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  return names.flatMap((name) => hashIn(name) ?? [])
}

const hashIn = (name: string): string | undefined => /^([0-9a-f]{64})\.img$/.exec(name)?.[1]

/** The disks on each, by its hash: a storage that was moved or linked to has other paths than its disks remember. */
async function usersOf({ storageDir }: Place): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>()
  for (const name of await readdir(storageDir)) {
    const backing = (await readQcow2(join(storageDir, name)))?.backing
    const hash = backing ? hashIn(basename(backing)) : undefined
    if (hash) users.set(hash, [...(users.get(hash) ?? []), name])
  }
  return users
}

/**
 * Older agents made a base as a second name of the image's file: the image gets its own file, the base keeps the open
 * one.
 */
async function partFromImages(dir: string, images: ImageFolder): Promise<void> {
  for (const name of await readdir(dir)) {
    const base = await stat(join(dir, name))
    if (base.nlink === 1) continue
    for (const { file } of await images.list()) {
      const path = await realpath(images.pathOf(file))
      if (!isSame(base, await stat(path))) continue
      await copy(path, `${path}.new`)
      await rename(`${path}.new`, path)
    }
    await chmod(join(dir, name), 0o444)
  }
}

const isSame = (a: Stats, b: Stats) => a.dev === b.dev && a.ino === b.ino

async function copy(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  const file = await open(to, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
