import * as labels from '@vps/shared/labels'
import type { FastifyInstance } from 'fastify'
import { yuan } from '@vps/shared/money'
import { namesOf } from '@vps/shared/records'
import { entryTypeNames, transactionStatusNames } from '@vps/shared/wallet'
import { findSession } from '../accounts/sessions.js'
import type { Deps } from '../deps.js'
import { Refusal } from '../errors.js'
import { listTransactions } from '../wallet/queries.js'
import { sendRefusal } from './send-refusal.js'
import { bearerToken, sessionCookie } from './caller.js'
import { fileFormats, sendTable } from './send-table.js'
import type { Cell, TableColumn } from './table.js'

/** By cookie, as lists of staff (`exports`) and nothing else: the browser sends no header of ours. */
export function registerDownloads(app: FastifyInstance, deps: Deps): void {
  for (const format of namesOf(fileFormats))
    app.get(`/api/transactions/export${fileFormats[format].ending}`, async (request, reply) => {
      const token = bearerToken(request.headers.authorization) ?? request.cookies[sessionCookie(deps.config)]
      const user = token ? await findSession(deps.readDb, token) : null
      if (!user) return sendRefusal(reply, new Refusal('UNAUTHENTICATED'))
      const transactions = await listTransactions(deps.readDb, user.id, {})
      return sendTable(reply, format, 'transactions', { columns, pages: inPages(transactions.map(cellsOf)) })
    })
}

const columns: readonly TableColumn[] = [
  { head: labels.transactionNumber },
  { head: labels.kind },
  { head: '金额（元）', yuan: true },
  { head: labels.status },
  { head: '交易前余额', yuan: true },
  { head: '交易后余额', yuan: true },
  { head: labels.description },
  { head: labels.orderNumber },
  { head: labels.paymentMethod },
  { head: labels.createdAt },
  { head: labels.finishedAt },
]

const cellsOf = (row: Awaited<ReturnType<typeof listTransactions>>[number]): Cell[] => [
  row.transactionNumber,
  entryTypeNames[row.type],
  yuan.encode(row.amount),
  transactionStatusNames[row.status],
  row.balanceBefore === null ? null : yuan.encode(row.balanceBefore),
  row.balanceAfter === null ? null : yuan.encode(row.balanceAfter),
  row.description,
  row.orderNumber,
  row.paymentMethod,
  new Date(row.createdAt),
  row.completedAt === null ? null : new Date(row.completedAt),
]

/** A workbook is packed a thousand rows at a time, so that others are answered between. */
async function* inPages(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  for (let at = 0; at < rows.length; at += 1000) yield rows.slice(at, at + 1000)
}
