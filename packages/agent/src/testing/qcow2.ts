/** The first bytes of a qcow2 file as its format says (QEMU docs/interop/qcow2.txt). */
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
