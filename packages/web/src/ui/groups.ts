/** Names each group at its first row. */
export function inGroups<Row>(
  rows: readonly Row[],
  groupOf?: (row: Row) => string,
): { row: Row; begins: string | null }[] {
  let last: string | null = null
  return rows.map((row) => {
    const group = groupOf?.(row) ?? null
    const begins = group === last ? null : group
    last = group
    return { row, begins }
  })
}
