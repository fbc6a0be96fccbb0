import {
  currentPasswordInput,
  recoveryCodesView,
  secondCodeInput,
  secondFactorInput,
  secondFactorKey,
  secondFactorView,
} from '@vps/shared/accounts.contract'
import * as z from 'zod'
import type { User } from '../actor.js'
import { inTx } from '../db/tx.js'
import { countCall } from '../rate-limits.js'
import type { Context } from '../trpc/context.js'
import { router } from '../trpc/init.js'
import { signedIn, signedInAlways } from '../trpc/procedures.js'
import { countSecondCode } from './limits.js'
import {
  disableSecondFactor,
  enableSecondFactor,
  prepareSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
} from './second-factor.js'
import { provePassword } from './current-password.js'

/** What its owner does with it (decision 0149). */
export const secondFactorRouter = router({
  get: signedIn.output(secondFactorView).query(({ ctx }) => readSecondFactor(ctx.db, ctx.user.id)),

  /** 400 当前密码不正确, 409 where one is on, 429. */
  prepare: signedInAlways
    .input(currentPasswordInput)
    .output(secondFactorKey)
    .mutation(async ({ ctx, input }) => {
      const passwordHash = await provenHash(ctx, ctx.user, input.currentPassword)
      return inTx(ctx.db, (tx) => prepareSecondFactor(tx, ctx.deps.vault, ctx.user, passwordHash, ctx.now()))
    }),

  /** 400 验证码错误或已过期, 409 where none is prepared, 429. */
  enable: signedInAlways
    .input(secondCodeInput)
    .output(recoveryCodesView)
    .mutation(async ({ ctx, input: { verificationCode } }) => {
      // Asks for no password: it may not use up the tries of sign-ins, or a stolen session keeps its owner out.
      await countSecondCode(ctx, `${ctx.user.id}/enable`, verificationCode)
      return {
        recoveryCodes: await inTx(ctx.db, (tx) =>
          enableSecondFactor(tx, ctx.deps.vault, ctx.user, verificationCode, ctx.now()),
        ),
      }
    }),

  /** 400 当前密码不正确 or 验证码错误或已过期, 409 where none is on, 429. */
  disable: signedInAlways
    .input(secondFactorInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      const proof = await proofOf(ctx, ctx.user, input)
      await inTx(ctx.db, (tx) => disableSecondFactor(tx, ctx.deps.vault, ctx.user, proof, ctx.now()))
      return null
    }),

  /** 400 当前密码不正确 or 验证码错误或已过期, 409 where none is on, 429. */
  renewRecoveryCodes: signedInAlways
    .input(secondFactorInput)
    .output(recoveryCodesView)
    .mutation(async ({ ctx, input }) => {
      const proof = await proofOf(ctx, ctx.user, input)
      return {
        recoveryCodes: await inTx(ctx.db, (tx) => renewRecoveryCodes(tx, ctx.deps.vault, ctx.user, proof, ctx.now())),
      }
    }),
})

async function provenHash(ctx: Context, user: User, password: string): Promise<string> {
  await countCall(ctx.db, 'currentPasswordPerAccount', user.id, ctx.now())
  return provePassword(ctx.db, user.id, password)
}

async function proofOf(ctx: Context, user: User, input: z.output<typeof secondFactorInput>) {
  const passwordHash = await provenHash(ctx, user, input.currentPassword)
  await countSecondCode(ctx, user.id, input.verificationCode)
  return { passwordHash, code: input.verificationCode }
}
