/** A record with one entry for each name. */
export function byName<Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>
}

/** The names of a record that holds no others than its type says. */
export const namesOf = <Name extends string>(record: Record<Name, unknown>): Name[] => Object.keys(record) as Name[]
