/** An unknown value filters nothing. */
export function chosen<T extends string>(known: readonly T[], value: string): T | undefined {
  return known.find((one) => one === value)
}
