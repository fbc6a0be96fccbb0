/** An unknown value filters nothing. */
export function chosen<T extends string>(known: readonly T[], value: string): T | undefined {
  return known.find((one) => one === value)
}

/** A day that is none filters nothing. */
export function daysIn({ from, to }: { from: string; to: string }): { from?: string; to?: string } {
  return { ...(isDay(from) ? { from } : {}), ...(isDay(to) ? { to } : {}) }
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
