import * as text from '@vps/shared/text'
import { accountStatuses, roles } from '@vps/shared/accounts'
import { adminUserView } from '@vps/shared/accounts.contract'
import { staffReason } from '@vps/shared/audit.contract'
import { pageInput, pageOf, searchPageInput } from '@vps/shared/page.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { pageUsers, setAccountStatus, setRole } from './users.js'

export const usersRouter = router({
  list: adminOnly
    .input(searchPageInput.extend({ size: pageInput.shape.size }))
    .output(pageOf(adminUserView))
    .query(({ ctx, input }) => pageUsers(ctx.db, input)),
  setStatus: adminOnly
    .input(z.object({ id: z.uuid(), status: z.enum(accountStatuses, { error: text.badStatus }), reason: staffReason }))
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
