/** Depends only on server and moment. */

export function wave(id: string, what: string, nowMs: number, low: number, high: number): number {
  const seed = numberOf(`${id}/${what}`)
  const slow = Math.sin(nowMs / 97_000 + seed)
  const fast = Math.sin(nowMs / 13_000 + seed * 7)
  const level = 0.5 + 0.35 * slow + 0.15 * fast
  return Math.round((low + (high - low) * level) * 10) / 10
}

/** Bytes after this many seconds. */
export function counter(id: string, what: string, seconds: number): number {
  return Math.floor(seconds * (2_000 + (numberOf(`${id}/${what}`) % 60_000)))
}

/** FNV-1a: spreads ids over numbers. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
