/** For what a rule guarantees. Throws otherwise. */
export function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('what must be there is not')
  return value
}
