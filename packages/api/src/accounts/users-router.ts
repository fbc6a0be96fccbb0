import * as text from '@vps/shared/text'
import { accountStatuses, roles } from '@vps/shared/accounts'
import { adminUserView, deviceView, userNoteBody, userNoteView } from '@vps/shared/accounts.contract'
import { staffReason } from '@vps/shared/audit.contract'
import { recordRef } from '@vps/shared/fields.contract'
import { pageInput, pageOf, searchPageInput } from '@vps/shared/page.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly } from '../trpc/procedures.js'
import { listDevices } from './sessions.js'
import { addNote, pageNotes } from './user-notes.js'
import { clearUsersSecondFactor, pageUsers, readAdminUser, setAccountStatus, setRole } from './users.js'

const ofUser = z.object({ userId: z.uuid({ error: text.noUser }) })

export const usersRouter = router({
  list: adminOnly
    .input(searchPageInput.extend({ size: pageInput.shape.size }))
    .output(pageOf(adminUserView))
    .query(({ ctx, input }) => pageUsers(ctx.db, input)),
  get: adminOnly
    .input(recordRef)
    .output(adminUserView)
    .query(({ ctx, input }) => readAdminUser(ctx.db, input.id)),
  devices: adminOnly
    .input(ofUser)
    .output(z.array(deviceView))
    .query(({ ctx, input }) => listDevices(ctx.db, input.userId, ctx.user.sessionId)),
  notes: adminOnly
    .input(pageInput.extend(ofUser.shape))
    .output(pageOf(userNoteView))
    .query(({ ctx, input }) => pageNotes(ctx.db, input)),
  addNote: adminOnly
    .concat(keyed('users.addNote'))
    .input(ofUser.extend({ body: userNoteBody, idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.once(input, (tx, now) => addNote(tx, ctx.user, input, now))
      return null
    }),
  setStatus: adminOnly
    .input(z.object({ id: z.uuid(), status: z.enum(accountStatuses, { error: text.badStatus }), reason: staffReason }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => setAccountStatus(tx, ctx.user, input, ctx.now()))
      return null
    }),
  clearSecondFactor: adminOnly
    .input(recordRef.extend({ reason: staffReason }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => clearUsersSecondFactor(tx, ctx.user, input, ctx.now()))
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
