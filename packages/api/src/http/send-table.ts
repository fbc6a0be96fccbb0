import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { csvOf } from './csv.js'
import type { Table } from './table.js'

export const fileFormats = {
  csv: { ending: '', type: 'text/csv; charset=utf-8', write: csvOf },
  xlsx: {
    ending: '.xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    // Seldom asked for: loaded with the first.
    async *write(table: Table) {
      const { xlsxOf } = await import('./xlsx.js')
      yield* xlsxOf(table)
    },
  },
} as const
export type FileFormat = keyof typeof fileFormats

/** Rows of a file: of more, the first. */
export const mostExported = 50_000

/** Saved under its name, kept nowhere else. */
export function sendTable(reply: FastifyReply, format: FileFormat, name: string, table: Table): FastifyReply {
  const { type, write } = fileFormats[format]
  return reply
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .header('cache-control', 'no-store')
    .type(type)
    .send(Readable.from(write(table)))
}
