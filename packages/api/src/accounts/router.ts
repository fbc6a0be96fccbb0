import { registerInput, sessionView, signInInput, userView } from '@vps/shared/accounts'
import { inTx } from '../db/tx.js'
import { publicProcedure, router, signedIn } from '../doors/trpc/init.js'
import { countCall } from '../rate-limits.js'
import { hashPassword } from './passwords.js'
import { readUser } from './queries.js'
import { revokeSession } from './sessions.js'
import { proveCredentials, signIn } from './sign-in.js'
import { signUp } from './sign-up.js'
import * as z from 'zod'

export const accountsRouter = router({
  /** Makes an account and signs in. 409 用户已存在, 429. */
  register: publicProcedure
    .input(registerInput)
    .output(sessionView)
    .mutation(async ({ ctx, input }) => {
      await countCall(ctx.db, 'registerPerAddress', ctx.address, ctx.now())
      const passwordHash = await hashPassword(input.password)
      const { userId, token } = await inTx(ctx.db, (tx) =>
        signUp(tx, { ...input, passwordHash, visitor: ctx }, ctx.now()),
      )
      ctx.setSessionCookie(token)
      return { ...(await readUser(ctx.db, userId)), token }
    }),

  /** 401 用户名或密码错误, 403 for a suspended account, 429. */
  signIn: publicProcedure
    .input(signInInput)
    .output(sessionView)
    .mutation(async ({ ctx, input }) => {
      await countCall(ctx.db, 'signInPerAddress', ctx.address, ctx.now())
      await countCall(ctx.db, 'signInPerAccount', `${input.username.toLowerCase()}@${ctx.address}`, ctx.now())
      const userId = await proveCredentials(ctx.db, input.username, input.password)
      const token = await inTx(ctx.db, (tx) => signIn(tx, userId, ctx, ctx.now()))
      ctx.setSessionCookie(token)
      return { ...(await readUser(ctx.db, userId)), token }
    }),

  /** Ends this session. */
  signOut: signedIn.output(z.null()).mutation(async ({ ctx }) => {
    await inTx(ctx.db, (tx) => revokeSession(tx, ctx.user.sessionId, ctx.now()))
    ctx.setSessionCookie(null)
    return null
  }),

  me: signedIn.output(userView).query(({ ctx }) => readUser(ctx.db, ctx.user.id)),
})
