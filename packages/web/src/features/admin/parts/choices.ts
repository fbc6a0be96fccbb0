/** The value of a filter in the address where it is one of those that exist; anything else filters nothing. */
export function chosen<T extends string>(known: readonly T[], value: string): T | undefined {
  return known.find((one) => one === value)
}
