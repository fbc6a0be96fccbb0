/** A map: no name reaches a prototype. */
export type Fields = ReadonlyMap<string, string>

const maxLength = 8_192
const maxFields = 40

/**
 * Null for repeated or array-like names (`sign[]`) or text beyond the limits: two readers would see different things.
 */
export function parseFields(raw: string): Fields | null {
  if (raw.length > maxLength) return null
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(raw)) {
    if (fields.has(name) || !/^[A-Za-z0-9_]{1,40}$/.test(name) || fields.size >= maxFields) return null
    fields.set(name, value)
  }
  return fields
}
