/** An entry for each name. */
export function byName<Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>
}

/** Of a record without names beyond its type. */
export const namesOf = <Name extends string>(record: Record<Name, unknown>): Name[] => Object.keys(record) as Name[]
