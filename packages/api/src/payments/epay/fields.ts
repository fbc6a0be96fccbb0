/** Fields of a query string or form, in a map: no name can reach a prototype. */
export type Fields = ReadonlyMap<string, string>

const maxLength = 8_192
const maxFields = 40

/**
 * Reads `a=1&b=2` strictly. Nothing comes back for a repeated name, an array-like one (`sign[]`), or a text beyond the
 * limits: whoever sends those wants two readers to see different things.
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
