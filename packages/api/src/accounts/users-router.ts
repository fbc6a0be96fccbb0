import { accountStatuses, adminUserView, roles } from '@vps/shared/accounts'
import { yuanToFen } from '@vps/shared/money.contract'
import { pageInput, pageOf, searchPageInput } from '@vps/shared/page'
import { transactionFilter, transactionView, walletView } from '@vps/shared/wallet'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { adminOnly, router } from '../trpc/init.js'
import { idempotencyKey, inTxOnce } from '../idempotency.js'
import { pageTransactions } from '../wallet/page-transactions.js'
import { readWallet } from '../wallet/queries.js'
import { adjustBalance, pageUsers, setAccountStatus, setRole } from './users.js'

const reason = z
  .string({ error: '请填写原因' })
  .trim()
  .min(1, { error: '请填写原因' })
  .max(200, { error: '最多 200 个字符' })

/** Users as operators see them. ADMIN only. */
export const usersRouter = router({
  list: adminOnly
    .input(searchPageInput.extend({ size: pageInput.shape.size }))
    .output(pageOf(adminUserView))
    .query(({ ctx, input }) => pageUsers(ctx.db, input)),
  /** A user's wallet as the user sees it: ledger entries and recharges that did not or not yet credit. */
  transactions: adminOnly
    .input(pageInput.extend(transactionFilter.shape).extend({ userId: z.uuid({ error: '用户不存在' }) }))
    .output(pageOf(transactionView))
    .query(({ ctx, input }) => pageTransactions(ctx.db, input.userId, input, input)),
  /** A signed ADJUSTMENT, by default on the administrator's own wallet. */
  adjust: adminOnly
    .input(
      z.object({
        amount: yuanToFen.refine((amount) => amount !== 0, { error: '金额不能为0' }),
        userId: z.uuid({ error: '用户不存在' }).optional(),
        reason: reason.default('管理员调整'),
        idempotencyKey,
      }),
    )
    .output(walletView.nullable())
    .mutation(async ({ ctx, input }) => {
      const userId = input.userId ?? ctx.user.id
      await inTxOnce(ctx, 'users.adjust', { ...input, userId }, async (tx, now) => {
        await adjustBalance(tx, ctx.user, { ...input, userId }, now)
        return userId
      })
      return readWallet(ctx.db, userId)
    }),
  setStatus: adminOnly
    .input(z.object({ id: z.uuid(), status: z.enum(accountStatuses, { error: '状态不正确' }), reason }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => setAccountStatus(tx, ctx.user, input, ctx.now()))
      return null
    }),
  setRole: adminOnly
    .input(z.object({ id: z.uuid(), role: z.enum(roles, { error: '角色不正确' }) }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => setRole(tx, ctx.user, input, ctx.now()))
      return null
    }),
})
