import { open, type FileHandle } from 'node:fs/promises'
import { isMissing } from '../../files.js'

const magic = 0x514649fb
const headerBytes = 72
const longestName = 1023
/** A snapshot's entry, before its variable part. */
const entryBytes = 40
const tableBytes = 65_536

export type Qcow2 = { backing: string | null; virtualBytes: number; snapshots: string[] }

/**
 * Backing file, disk size and snapshot names, from header and table alone: QEMU may have it open. Null for other files,
 * or none.
 */
export async function readQcow2(path: string): Promise<Qcow2 | null> {
  const file = await openIfThere(path)
  if (!file) return null
  try {
    const stats = await file.stat()
    if (!stats.isFile() && !stats.isBlockDevice()) return null
    const header = Buffer.alloc(headerBytes)
    const { bytesRead } = await file.read(header, 0, headerBytes, 0)
    if (bytesRead < headerBytes || header.readUInt32BE(0) !== magic) return null
    return {
      backing: await readBacking(file, header),
      virtualBytes: Number(header.readBigUInt64BE(24)),
      snapshots: await readSnapshots(file, header),
    }
  } finally {
    await file.close()
  }
}

/**
 * Of an image: whether it holds what another file of the host says, below it or in its place. QEMU's programs would open
 * that as root, whoever made the image. By the header alone, before any of them looks.
 */
export async function restsOnAnother(path: string): Promise<boolean> {
  const file = await openIfThere(path)
  if (!file) return false
  try {
    const header = Buffer.alloc(80)
    await file.read(header, 0, header.length, 0)
    if (header.readUInt32BE(0) !== magic) return false
    const hasDataFile = header.readUInt32BE(4) >= 3 && (header.readBigUInt64BE(72) & externalData) !== 0n
    return hasDataFile || header.readBigUInt64BE(8) !== 0n
  } finally {
    await file.close()
  }
}
/** QEMU's docs/interop/qcow2.txt: incompatible features, bit 2. */
const externalData = 4n

async function openIfThere(path: string): Promise<FileHandle | null> {
  return open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
}

async function readBacking(file: FileHandle, header: Buffer): Promise<string | null> {
  const [at, length] = [Number(header.readBigUInt64BE(8)), Math.min(longestName, header.readUInt32BE(16))]
  if (at === 0) return null
  const name = Buffer.alloc(length)
  await file.read(name, 0, length, at)
  return name.toString()
}

/** QEMU writes a changed table elsewhere and then turns the header to it: what is read is whole. */
async function readSnapshots(file: FileHandle, header: Buffer): Promise<string[]> {
  const count = header.readUInt32BE(60)
  if (count === 0) return []
  const table = Buffer.alloc(tableBytes)
  const { bytesRead } = await file.read(table, 0, tableBytes, Number(header.readBigUInt64BE(64)))
  const names: string[] = []
  for (let at = 0; names.length < count && at + entryBytes <= bytesRead;) {
    const [idLength, nameLength] = [table.readUInt16BE(at + 12), table.readUInt16BE(at + 14)]
    const name = at + entryBytes + table.readUInt32BE(at + 36) + idLength
    names.push(table.toString('utf8', name, name + nameLength))
    at = Math.ceil((name + nameLength) / 8) * 8
  }
  return names
}
