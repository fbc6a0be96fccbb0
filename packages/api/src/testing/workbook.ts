/** Reads a workbook back without the code that packs ours: by its directory, with zlib. */
import { crc32, inflateRawSync } from 'node:zlib'

/** A zip's parts by name, as text. */
export function partsOf(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf('PK\x05\x06')
  const parts = new Map<string, string>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [checksum, packed, nameLength] = [
      file.readUInt32LE(at + 16),
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
    ]
    const name = file.toString('utf8', at + 46, at + 46 + nameLength)
    const local = file.readUInt32LE(at + 42)
    const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const bytes = inflateRawSync(file.subarray(from, from + packed))
    if (crc32(bytes) !== checksum) throw new Error(`${name} is damaged`)
    parts.set(name, bytes.toString('utf8'))
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return parts
}

/** Cells as written: text, or a number with its style. */
export function rowsOf(file: Buffer): (string | { number: number; style: number } | null)[][] {
  const sheet = partsOf(file).get('xl/worksheets/sheet1.xml') ?? ''
  return [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c(?:\/>|([^>]*)>(.*?)<\/c>)/gs)].map(([, attributes, content]) => {
      if (content === undefined) return null
      const value = /<v>(.*)<\/v>/.exec(content)?.[1]
      if (value !== undefined)
        return { number: Number(value), style: Number(/s="(\d+)"/.exec(attributes ?? '')?.[1] ?? 0) }
      return (/<t[^>]*>(.*)<\/t>/s.exec(content)?.[1] ?? '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')
    }),
  )
}
