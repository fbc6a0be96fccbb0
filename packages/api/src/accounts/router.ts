import * as text from '@vps/shared/text'
import { recordRef } from '@vps/shared/fields.contract'
import {
  addSshKeyInput,
  deviceView,
  forgotPasswordInput,
  registerInput,
  resetPasswordInput,
  sessionView,
  signInInput,
  sshKeyView,
  updateProfileInput,
  userView,
} from '@vps/shared/accounts.contract'
import { emailLinkOutcomes } from '@vps/shared/accounts'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { counted, signedIn, signedInAlways } from '../trpc/procedures.js'
import { addressBlock, countCall } from '../rate-limits.js'
import { countNewNames, countReset, countSecondCode, countSignIn } from './limits.js'
import { hashOfNobody, hashPassword } from './passwords.js'
import { followEmailLink } from './email-changes.js'
import { readUser } from './queries.js'
import { requestResetCode, resetPassword } from './reset-password.js'
import { listDevices, revokeDevice, revokeSession } from './sessions.js'
import { provePassword } from './current-password.js'
import { proveCredentials, signIn } from './sign-in.js'
import { signUp } from './sign-up.js'
import { addSshKey, listSshKeys, removeSshKey } from './ssh-keys.js'
import { updateProfile } from './update-profile.js'
import { fail } from '../errors.js'
import * as z from 'zod'

/** A field that no contract has checked yet. */
const textOf = (input: unknown, name: string): string => {
  const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined
  return typeof value === 'string' ? value.replaceAll(/[\0\p{Surrogate}]/gu, '?') : ''
}

export const accountsRouter = router({
  /** 409 用户已存在, 429. */
  register: counted(({ db, address, now }) => countCall(db, 'registerPerAddress', addressBlock(address), now()))
    .input(registerInput)
    .output(sessionView)
    .mutation(async ({ ctx, input }) => {
      const passwordHash = await hashPassword(input.password)
      const { userId, token } = await inTx(ctx.db, (tx) =>
        signUp(tx, { ...input, passwordHash, visitor: ctx }, ctx.now()),
      )
      ctx.setSessionCookie(token)
      return { ...(await readUser(ctx.db, userId)), token }
    }),

  /** 401 用户名或密码错误, or SECOND_FACTOR_REQUIRED; 400 for a wrong code, 403 for a suspended account, 429. */
  signIn: counted((ctx, input) => countSignIn(ctx, textOf(input, 'username')))
    .input(signInInput)
    .output(sessionView)
    .mutation(async ({ ctx, input }) => {
      const proven = await proveCredentials(ctx.db, input.username, input.password)
      const code = input.verificationCode
      if (code !== undefined) await countSecondCode(ctx, proven.id, code)
      const token = await inTx(ctx.db, (tx) => signIn(tx, ctx.deps.vault, { ...proven, code }, ctx, ctx.now()))
      ctx.setSessionCookie(token)
      return { ...(await readUser(ctx.db, proven.id)), token }
    }),

  signOut: signedInAlways.output(z.null()).mutation(async ({ ctx }) => {
    await inTx(ctx.db, (tx) => revokeSession(tx, ctx.user.sessionId, ctx.now()))
    ctx.setSessionCookie(null)
    return null
  }),

  me: signedIn.output(userView).query(({ ctx }) => {
    ctx.renewSessionCookie()
    return readUser(ctx.db, ctx.user.id)
  }),

  /** 400 当前密码不正确, 409 for a taken name or address, 429. */
  updateProfile: signedInAlways
    .input(updateProfileInput)
    .output(userView)
    .mutation(async ({ ctx, input: { currentPassword, newPassword, ...profile } }) => {
      if (currentPassword) await countCall(ctx.db, 'currentPasswordPerAccount', ctx.user.id, ctx.now())
      else ctx.deps.countAct(ctx.user, ctx.now())
      await countNewNames(ctx, ctx.user.id, profile)
      const proven = currentPassword && newPassword ? await provePassword(ctx.db, ctx.user.id, currentPassword) : null
      const password = proven && newPassword ? { proven, next: await hashPassword(newPassword) } : null
      await inTx(ctx.db, (tx) => updateProfile(tx, ctx.deps.vault, ctx.user, { ...profile, password }, ctx.now()))
      return readUser(ctx.db, ctx.user.id)
    }),

  /** Alike, and as fast, for an unknown address. 409 where no mail can be sent. */
  forgotPassword: counted(({ db, address, now }) => countCall(db, 'forgotPerAddress', addressBlock(address), now()))
    .input(forgotPasswordInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      if (ctx.deps.sendMail === null) fail('MAIL_UNAVAILABLE')
      await requestResetCode(ctx.db, input.email)
      return null
    }),

  /** 400 验证码错误或已过期. Ends every session. */
  resetPassword: counted((ctx, input) => countReset(ctx, textOf(input, 'email')))
    .input(resetPasswordInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      const reset = {
        email: input.email,
        code: input.verificationCode ?? input.code ?? '',
        passwordHash: await hashPassword(input.newPassword),
        address: ctx.address,
      }
      const done = await inTx(ctx.db, (tx) => resetPassword(tx, reset, ctx.now()))
      return done ? null : fail('WRONG_CODE')
    }),

  /** Of a mail's link. 400 链接无效或已过期. */
  followEmailLink: counted(({ db, address, now }) => countCall(db, 'resetPerAddress', addressBlock(address), now()))
    .input(z.object({ token: z.string({ error: text.linkInvalid }).regex(/^[\w-]{43}$/, { error: text.linkInvalid }) }))
    .output(z.object({ outcome: z.enum(emailLinkOutcomes) }))
    .mutation(async ({ ctx, input: { token } }) => {
      const followed = { token, address: ctx.address, nobodysHash: await hashOfNobody() }
      return { outcome: await inTx(ctx.db, (tx) => followEmailLink(tx, followed, ctx.now())) }
    }),

  devices: signedIn
    .output(z.array(deviceView))
    .query(({ ctx }) => listDevices(ctx.db, ctx.user.id, ctx.user.sessionId)),

  revokeDevice: signedInAlways
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => revokeDevice(tx, ctx.user.id, input.id, ctx.now()))
      return null
    }),

  sshKeys: signedIn.output(z.array(sshKeyView)).query(({ ctx }) => listSshKeys(ctx.db, ctx.user.id)),

  addSshKey: signedIn
    .input(addSshKeyInput)
    .output(z.array(sshKeyView))
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => addSshKey(tx, ctx.user, input, ctx.now()))
      return listSshKeys(ctx.db, ctx.user.id)
    }),

  removeSshKey: signedIn
    .input(recordRef)
    .output(z.array(sshKeyView))
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => removeSshKey(tx, ctx.user, input.id, ctx.now()))
      return listSshKeys(ctx.db, ctx.user.id)
    }),
})
