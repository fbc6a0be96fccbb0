/** Facts of a record for people who run the system: `name: value` in one line, in the order they came. */
export function factsText(details: Record<string, unknown>): string {
  const parts = Object.entries(details).map(([name, value]) => `${name}: ${textOf(value)}`)
  return parts.join('，') || '—'
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
