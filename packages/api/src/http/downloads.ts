import * as labels from '@vps/shared/labels'
import type { FastifyInstance } from 'fastify'
import { yuan, type Fen } from '@vps/shared/money'
import { entryTypeNames, transactionStatusNames } from '@vps/shared/wallet'
import { findSession } from '../accounts/sessions.js'
import type { Deps } from '../deps.js'
import { Refusal } from '../errors.js'
import { listTransactions } from '../wallet/queries.js'
import { sendRefusal } from './send-refusal.js'
import { bearerToken, sessionCookie } from './caller.js'

/** The only reads by cookie: the browser sends no header of ours. */
export function registerDownloads(app: FastifyInstance, deps: Deps): void {
  app.get('/api/transactions/export', async (request, reply) => {
    const token = bearerToken(request.headers.authorization) ?? request.cookies[sessionCookie(deps.config)]
    const user = token ? await findSession(deps.readDb, token) : null
    if (!user) return sendRefusal(reply, new Refusal('UNAUTHENTICATED'))
    const transactions = await listTransactions(deps.readDb, user.id, {})
    const head = [
      labels.transactionNumber,
      labels.kind,
      '金额（元）',
      labels.status,
      '交易前余额',
      '交易后余额',
      labels.description,
      labels.orderNumber,
      labels.paymentMethod,
      labels.createdAt,
      labels.finishedAt,
    ]
    const rows = transactions.map((row) => [
      row.transactionNumber,
      entryTypeNames[row.type],
      decimals(row.amount),
      transactionStatusNames[row.status],
      row.balanceBefore === null ? '' : decimals(row.balanceBefore),
      row.balanceAfter === null ? '' : decimals(row.balanceAfter),
      row.description,
      row.orderNumber ?? '',
      row.paymentMethod ?? '',
      row.createdAt,
      row.completedAt ?? '',
    ])
    // The mark tells spreadsheets: UTF-8.
    const body = `\uFEFF${[head, ...rows].map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`
    return reply
      .header('content-disposition', 'attachment; filename="transactions.csv"')
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(body)
  })
}

const decimals = (amount: Fen) => yuan.encode(amount).toFixed(2)

/** RFC 4180; formula signs are defused. */
function csvCell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
