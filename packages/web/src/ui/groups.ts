/** Each row with the name of its group where it is the first of it. */
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
