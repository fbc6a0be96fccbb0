export type Random = ReturnType<typeof seeded>

/** Repeatable by its seed (mulberry32). */
export function seeded(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    chance: (probability: number) => next() < probability,
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!,
  }
}
