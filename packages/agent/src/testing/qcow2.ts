/** A qcow2 file's first bytes (QEMU docs/interop/qcow2.txt). */
export function qcow2Header(virtualBytes: number, backing: string | null): Buffer {
  const header = Buffer.alloc(512)
  header.write('QFI\xfb', 0, 'latin1')
  header.writeUInt32BE(3, 4)
  if (backing !== null) {
    header.writeBigUInt64BE(104n, 8)
    header.writeUInt32BE(Buffer.byteLength(backing), 16)
    header.write(backing, 104)
  }
  header.writeUInt32BE(16, 20)
  header.writeBigUInt64BE(BigInt(virtualBytes), 24)
  return header
}

/** Each with an id and extra data as QEMU writes them. */
export function qcow2Snapshots(names: readonly string[]): Buffer {
  const entries = names.map((name, n) => {
    const [id, extra, text] = [Buffer.from(String(n + 1)), Buffer.alloc(24), Buffer.from(name)]
    const entry = Buffer.alloc(40)
    entry.writeUInt16BE(id.length, 12)
    entry.writeUInt16BE(text.length, 14)
    entry.writeUInt32BE(extra.length, 36)
    const whole = Buffer.concat([entry, extra, id, text])
    return Buffer.concat([whole, Buffer.alloc((8 - (whole.length % 8)) % 8)])
  })
  return Buffer.concat(entries)
}
