/** A file that spreadsheets open as it is (RFC 4180). */
import type { FastifyReply } from 'fastify'

/** Tells spreadsheets: UTF-8. */
export const byteOrderMark = '\uFEFF'

/** A row of the file. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** What follows is saved under this name, and kept nowhere else. */
export const asCsv = (reply: FastifyReply, name: string): FastifyReply =>
  reply
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .header('cache-control', 'no-store')
    .type('text/csv; charset=utf-8')

/** Formula signs are defused. */
function csvCell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
