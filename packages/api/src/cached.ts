export type Cached<T> = {
  read(): Promise<T>
  /** A maker under way may have looked before. */
  drop(): void
}

/** For at most `forMs` from the start of making. One maker at a time; failures go to those waiting and are not kept. */
export function cached<T>(make: () => Promise<T>, forMs: number): Cached<T> {
  let current: { value: Promise<T>; since: number } | null = null
  return {
    read() {
      const now = performance.now()
      if (current && now - current.since < forMs) return current.value
      const mine = { value: make(), since: now }
      current = mine
      // Until it is done, no second maker.
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
