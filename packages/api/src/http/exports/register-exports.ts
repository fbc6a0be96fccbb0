/** Every list of staff, and a customer's transactions, by the list's own conditions (decision 0088). */
import { TRPCError } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import * as labels from '@vps/shared/labels'
import { namesOf } from '@vps/shared/records'
import { isSpent } from '@vps/shared/wallet'
import * as z from 'zod'
import type { Deps } from '../../deps.js'
import { Refusal, toRefusal } from '../../errors.js'
import type { Context } from '../../trpc/context.js'
import { refusalOf } from '../../trpc/init.js'
import { bearerToken, httpContext, sessionCookie } from '../caller.js'
import { inputOf, propertiesOf } from '../input.js'
import { sendRefusal } from '../send-refusal.js'
import { appRouter } from '../trpc/app-router.js'
import { callProcedure } from '../trpc/call-procedure.js'
import { fileFormats, mostExported, sendTable, type FileFormat } from '../send-table.js'
import type { Cell, Table } from '../table.js'
import { exportedFiles, type ExportedList } from './lists.js'

const pageRows = 1000
const mostPages = mostExported / pageRows

const pageOfRows = z.object({ content: z.array(z.record(z.string(), z.unknown())) })
type Rows = z.infer<typeof pageOfRows>

/** Also by the session's cookie: a download carries no header of ours. */
export function registerExports(app: FastifyInstance, deps: Deps): void {
  for (const file of exportedFiles) for (const format of namesOf(fileFormats)) registerExport(app, deps, file, format)
}

type File = (typeof exportedFiles)[number]

function registerExport(app: FastifyInstance, deps: Deps, { name, list, path }: File, format: FileFormat): void {
  const properties = propertiesOf(appRouter, list.procedure)
  app.get(`/api${path}${fileFormats[format].ending}`, async (request, reply) => {
    try {
      const token = bearerToken(request.headers.authorization) ?? request.cookies[sessionCookie(deps.config)] ?? null
      // For each page: one that is read slowly, or not at all for a day, ends with its session.
      const caller = () => httpContext(deps, 'query', request, reply, token)
      const asked = inputOf(request, properties()) ?? {}
      // Refused before the file begins.
      const first = await readPage(list, caller, asked, 0)
      return sendTable(reply, format, name, tableOf(list, caller, asked, first))
    } catch (error) {
      const refusal = error instanceof TRPCError ? refusalOf(error) : (toRefusal(error) ?? new Refusal('INTERNAL'))
      if (refusal.code === 'INTERNAL')
        request.log.error({ err: error, reqId: request.id }, `the export of ${name} failed`)
      return sendRefusal(reply, refusal)
    }
  })
}

type Caller = () => Promise<Context>

async function readPage({ procedure }: ExportedList, caller: Caller, asked: object, page: number): Promise<Rows> {
  return pageOfRows.parse(await callProcedure(procedure, 'query', await caller(), { ...asked, page, size: pageRows }))
}

const tableOf = (list: ExportedList, caller: Caller, asked: object, first: Rows): Table => ({
  columns: list.columns.map(([head, , as]) => ({ head, yuan: as === 'yuan' || as === 'signed yuan' })),
  pages: pagesOf(list, caller, asked, first),
})

/**
 * What comes in between moves rows down a page: none is written twice. What leaves the list moves them up, onto the page
 * before: it is read again once the next is.
 */
async function* pagesOf(list: ExportedList, caller: Caller, asked: object, first: Rows): AsyncGenerator<Cell[][]> {
  const written = new Set<unknown>()
  const fresh = ({ content }: Rows) => {
    const rows = content.filter((row) => !written.has(row[list.key]))
    for (const row of rows) written.add(row[list.key])
    return rows.map((row) =>
      list.columns.map(([, field, as]) => cellOf(as === 'signed yuan' ? signed(row[field], row) : row[field], as)),
    )
  }
  for (let page = 0, rows = first; rows.content.length > 0; page++) {
    yield fresh(rows)
    if (rows.content.length < pageRows) return
    if (page + 1 === mostPages) return yield [[`仅导出前 ${mostExported} 行，其余请缩小日期范围后再导出`]]
    rows = await readPage(list, caller, asked, page + 1)
    yield fresh(await readPage(list, caller, asked, page))
  }
}

const signed = (amount: unknown, { type }: Record<string, unknown>) =>
  typeof amount === 'number' && isSpent(type) ? -amount : amount

function cellOf(value: unknown, as: ExportedList['columns'][number][2]): Cell {
  if (value === null || value === undefined) return (typeof as === 'object' && as['']) || null
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  if (typeof value === 'number') return value
  if (Array.isArray(value)) return value.map((one) => cellOf(one, as)).join('、')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (as === 'moment') return new Date(value)
  return typeof as === 'object' ? (as[value] ?? value) : value
}
