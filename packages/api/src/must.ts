/**
 * What a rule promises to be there: a row of a statement that always gives one, a column that the database's checks
 * fill. Throws where it is not.
 */
export function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('what must be there is not')
  return value
}
