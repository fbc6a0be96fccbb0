import { HypervisorError } from '../hypervisor.js'

export type Take = (bytes: number) => Promise<Buffer>

/** Exactly as many bytes as asked, from pieces of any size. */
export function takingFrom(chunks: AsyncIterable<Buffer>): Take {
  const pieces = chunks[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let heldBytes = 0
  return async (bytes) => {
    while (heldBytes < bytes) {
      const { done, value } = await pieces.next()
      if (done) throw new HypervisorError('what was read ended early')
      held.push(value)
      heldBytes += value.length
    }
    const [first] = held
    const all = first && held.length === 1 ? first : Buffer.concat(held)
    held = [all.subarray(bytes)]
    heldBytes -= bytes
    return all.subarray(0, bytes)
  }
}
