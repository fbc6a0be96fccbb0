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
import { asCsv, byteOrderMark, csvLine } from './csv.js'

/** By cookie, as lists of staff (`exports`) and nothing else: the browser sends no header of ours. */
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
    return asCsv(reply, 'transactions').send(byteOrderMark + [head, ...rows].map(csvLine).join(''))
  })
}

const decimals = (amount: Fen) => yuan.encode(amount).toFixed(2)
