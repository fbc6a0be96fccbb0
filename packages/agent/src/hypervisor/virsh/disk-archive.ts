import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { HypervisorError } from '../hypervisor.js'
import { takingFrom, type Take } from './taking.js'

/**
 * A disk without its holes, as one file of a tar archive in GNU's sparse format 1.0: a map of what is there, then only
 * that. `tar --extract --sparse` makes the whole disk of it, too.
 * https://www.gnu.org/software/tar/manual/html_section/Sparse-Formats.html
 */

/** What may not be zero. */
export type Extent = { offset: number; length: number }

export type ReadDisk = (offset: number, length: number) => Promise<Buffer>
export type WriteDisk = (offset: number, bytes: Buffer) => Promise<void>

declare module 'tar-stream' {
  interface Headers {
    pax?: Record<string, string>
  }
}

const block = 512
const pieceBytes = 1024 ** 2
const name = 'disk.raw'

export async function* packDisk(bytes: number, extents: readonly Extent[], read: ReadDisk): AsyncGenerator<Buffer> {
  const map = mapOf(bytes, extents)
  const archive = pack()
  const sparse = { major: '1', minor: '0', name, realsize: String(bytes) }
  const pax = Object.fromEntries(Object.entries(sparse).map(([key, value]) => [`GNU.sparse.${key}`, value]))
  const entry = archive.entry({ name, size: map.length + bytesIn(extents), mtime: new Date(0), pax })
  async function* contents() {
    yield map
    for (const { offset, length } of piecesOf(extents)) yield await read(offset, length)
  }
  const filling = pipeline(contents, entry).then(
    () => archive.finalize(),
    (error: Error) => archive.destroy(error),
  )
  yield* archive
  await filling
}

/** Onto a disk of zeroes. */
export async function unpackDisk(chunks: AsyncIterable<Buffer>, write: WriteDisk): Promise<void> {
  const archive = extract()
  const feeding = pipeline(chunks, archive)
  feeding.catch(() => {})
  let count = 0
  for await (const entry of archive) {
    if (entry.header.pax?.['GNU.sparse.major'] !== '1') throw new HypervisorError('the backup holds no disk')
    const take = takingFrom(entry)
    const extents = await takeMap(take)
    for (const { offset, length } of piecesOf(extents)) await write(offset, await take(length))
    count += 1
  }
  await feeding
  if (count !== 1) throw new HypervisorError('the backup holds no disk')
}

/** Byte for byte, as backups were once kept. */
export async function unpackWhole(chunks: AsyncIterable<Buffer>, write: WriteDisk): Promise<void> {
  let offset = 0
  for await (const chunk of chunks) {
    if (!isZero(chunk)) await write(offset, chunk)
    offset += chunk.length
  }
}

/** Smaller holes are read with the rest, so that the map stays short. */
const smallHole = 256 * 1024

/** One more, in order. */
export function addExtent(extents: Extent[], { offset, length }: Extent): void {
  const last = extents.at(-1)
  if (last && offset - (last.offset + last.length) < smallHole) last.length = offset + length - last.offset
  else extents.push({ offset, length })
}

/** Bytes to move. */
export const bytesIn = (extents: readonly Extent[]): number => extents.reduce((sum, { length }) => sum + length, 0)

function* piecesOf(extents: readonly Extent[]): Generator<Extent> {
  for (const { offset, length } of extents)
    for (let at = 0; at < length; at += pieceBytes)
      yield { offset: offset + at, length: Math.min(pieceBytes, length - at) }
}

/** How many, then where and how long each is; the last says where the disk ends. */
function mapOf(bytes: number, extents: readonly Extent[]): Buffer {
  const all = [...extents, { offset: bytes, length: 0 }]
  const numbers = [all.length, ...all.flatMap(({ offset, length }) => [offset, length])]
  const text = Buffer.from(numbers.map((number) => `${number}\n`).join(''))
  return Buffer.concat([text, Buffer.alloc(-text.length & (block - 1))])
}

async function takeMap(take: Take): Promise<Extent[]> {
  const numbers: number[] = []
  for (let rest = ''; numbers.length < 1 + 2 * (numbers[0] ?? 0) || numbers.length === 0;) {
    const lines = (rest + (await take(block)).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    numbers.push(...lines.map(Number))
    if (!lines.every((line) => /^\d+$/.test(line))) throw new HypervisorError('the map of the backup is damaged')
  }
  const at = (index: number) => numbers[index] ?? 0
  return Array.from({ length: at(0) }, (_, n) => ({ offset: at(1 + 2 * n), length: at(2 + 2 * n) }))
}

const zeroes = Buffer.alloc(64 * 1024)

function isZero(chunk: Buffer): boolean {
  for (let at = 0; at < chunk.length; at += zeroes.length) {
    const part = chunk.subarray(at, at + zeroes.length)
    if (!part.equals(zeroes.subarray(0, part.length))) return false
  }
  return true
}
