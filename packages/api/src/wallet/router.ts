import * as text from '@vps/shared/text'
import { staffReason } from '@vps/shared/audit.contract'
import { yuanToFen } from '@vps/shared/money.contract'
import { endOfShanghaiDay, startOfShanghaiDay } from '@vps/shared/time'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import { entryTypes, transactionStatuses } from '@vps/shared/wallet'
import {
  transactionFilter,
  transactionSummary,
  transactionView,
  walletMonth,
  walletView,
} from '@vps/shared/wallet.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly, signedIn } from '../trpc/procedures.js'
import { adjustBalance } from './adjust-balance.js'
import { openWallet } from './open-wallet.js'
import { pageTransactions, summariseTransactions } from './page-transactions.js'
import { listTransactions, readMonth, readTransaction, readWallet } from './queries.js'

const bound = (ofDay: (day: string) => Date) =>
  z.union(
    [
      z.iso.date().transform(ofDay),
      z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
      z.iso.datetime({ local: true }).transform((text) => new Date(`${text}+08:00`)),
    ],
    { error: text.badDate },
  )

export const walletRouter = router({
  /** Null: the screen offers to create one. */
  get: signedIn.output(walletView.nullable()).query(({ ctx }) => readWallet(ctx.db, ctx.user.id)),

  month: signedIn.output(walletMonth.nullable()).query(({ ctx }) => readMonth(ctx.db, ctx.user.id, ctx.now())),

  /** Repeating it gives the same wallet. */
  open: signedIn.output(walletView.nullable()).mutation(async ({ ctx }) => {
    await inTx(ctx.db, (tx) => openWallet(tx, ctx.user.id, ctx.now()))
    return readWallet(ctx.db, ctx.user.id)
  }),

  transactions: signedIn
    .input(
      z
        .object({
          type: z.enum(entryTypes, { error: text.badTransactionType }),
          status: z.enum(transactionStatuses, { error: text.badTransactionStatus }),
          orderId: z.uuid(),
          startDate: bound(startOfShanghaiDay),
          endDate: bound(endOfShanghaiDay),
        })
        .partial()
        .default({}),
    )
    .output(z.array(transactionView))
    .query(({ ctx, input: { startDate, endDate, ...filter } }) =>
      listTransactions(ctx.db, ctx.user.id, { ...filter, from: startDate, to: endDate }),
    ),

  page: signedIn
    .input(pageInput.extend(transactionFilter.shape))
    .output(pageOf(transactionView))
    .query(({ ctx, input }) => pageTransactions(ctx.db, ctx.user.id, input, input)),

  summary: signedIn.output(transactionSummary).query(({ ctx }) => summariseTransactions(ctx.db, ctx.user.id)),

  transaction: signedIn
    .input(z.object({ number: z.string().max(60) }))
    .output(transactionView)
    .query(({ ctx, input }) => readTransaction(ctx.db, ctx.user.id, input.number)),

  transactionsOf: adminOnly
    .input(pageInput.extend(transactionFilter.shape).extend({ userId: z.uuid({ error: text.noUser }) }))
    .output(pageOf(transactionView))
    .query(({ ctx, input }) => pageTransactions(ctx.db, input.userId, input, input)),
  /** Signed; by default on the administrator's own wallet. `balance`: as shown; of another nothing is adjusted. */
  adjust: adminOnly
    .concat(keyed('users.adjust'))
    .input(
      z.object({
        amount: yuanToFen.refine((amount) => amount !== 0, { error: text.amountZero }),
        userId: z.uuid({ error: text.noUser }).optional(),
        reason: staffReason.default('管理员调整'),
        balance: yuanToFen.optional(),
        idempotencyKey,
      }),
    )
    .output(walletView.nullable())
    .mutation(async ({ ctx, input }) => {
      const userId = input.userId ?? ctx.user.id
      await ctx.once({ ...input, userId }, async (tx, now) => {
        await adjustBalance(tx, ctx.user, { ...input, userId }, now)
        return userId
      })
      return readWallet(ctx.db, userId)
    }),
})
