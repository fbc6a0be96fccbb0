export type Cached<T> = {
  /** What was made at most so long ago; waits for a maker that is under way, else makes it. */
  read(): Promise<T>
  /** What is made from now on counts; a maker under way may have looked before. */
  drop(): void
}

/**
 * Caches what `make` makes for at most `forMs`, from the moment that its making began. One maker at a time: who asks
 * meanwhile waits for it. A failure is told to those who waited and is not kept.
 */
export function cached<T>(make: () => Promise<T>, forMs: number): Cached<T> {
  let current: { value: Promise<T>; since: number } | null = null
  return {
    read() {
      const now = performance.now()
      if (current && now - current.since < forMs) return current.value
      const mine = { value: make(), since: now }
      current = mine
      // A slow maker is not joined by a second one: until it is done, what it makes counts as fresh.
      mine.since = Infinity
      mine.value.then(
        () => (mine.since = now),
        () => current === mine && (current = null),
      )
      return mine.value
    },
    drop: () => void (current = null),
  }
}
