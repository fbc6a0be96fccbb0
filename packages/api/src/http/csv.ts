/** A file that spreadsheets open as it is (RFC 4180). */
import type { Cell, Table } from './table.js'

/** Tells spreadsheets: UTF-8. */
const byteOrderMark = '\uFEFF'

/** Moments in UTC with zone, as the API has them. */
export async function* csvOf({ columns, pages }: Table): AsyncGenerator<string> {
  const money = columns.map(({ yuan }) => yuan === true)
  yield byteOrderMark + csvLine(columns.map(({ head }) => head))
  for await (const rows of pages)
    yield rows.map((row) => csvLine(row.map((cell, at) => textOf(cell, money[at] ?? false)))).join('')
}

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

function textOf(cell: Cell, isMoney: boolean): string {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  return typeof cell === 'number' && isMoney ? cell.toFixed(2) : String(cell)
}

/** Formula signs are defused, wide ones too: Numbers, and Excel where such are typed, read them alike. */
function csvCell(text: string): string {
  const safe = /^[=+@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]|^-(?!\d+(\.\d+)?$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
