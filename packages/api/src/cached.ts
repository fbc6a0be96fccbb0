export type Cached<T> = {
  read(): Promise<T>
  /** A maker under way may have looked before. */
  drop(): void
}

/**
 * For at most `forMs` from the start of making; from half of it a reader starts the next, and waits for nothing. Failures go to those
 * waiting and are not kept.
 */
export function cached<T>(make: () => Promise<T>, forMs: number): Cached<T> {
  let current: { value: T; since: number } | null = null
  let making: Promise<T> | null = null

  function start(): Promise<T> {
    const since = performance.now()
    const mine = make()
    const end = (next: typeof current) => {
      if (making !== mine) return
      making = null
      current = next
    }
    mine.then(
      (value) => end({ value, since }),
      () => end(current),
    )
    return mine
  }

  return {
    read() {
      const age = current ? performance.now() - current.since : Infinity
      if (age >= forMs / 2) making ??= start()
      return current && age < forMs ? Promise.resolve(current.value) : (making ?? start())
    },
    drop: () => void (making = current = null),
  }
}
