import * as z from 'zod'
import { label, plain } from './fields.contract.js'
import { accountStatuses, roles } from './accounts.js'
import { fenToYuan } from './money.contract.js'
import { accountPassword, givenPassword, nextPassword, provenPassword } from './password.contract.js'
import * as text from './text.js'

/** 3 to 20 letters, digits and underscore (part 1 section 5). */
export const username = plain({ error: text.required })
  .min(1, { error: text.required })
  .regex(/^[A-Za-z0-9_]{3,20}$/, { error: '用户名需为3-20个字母、数字或下划线' })

/** A plain addr-spec: names, lists and comments of RFC 5322 would let many accounts share a mailbox. */
export const email = plain({ error: text.required })
  .min(1, { error: text.required })
  .max(200, { error: text.badEmail })
  .regex(
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/,
    { error: text.badEmail },
  )

export const registerInput = z.object({ username, email, password: accountPassword })

/** Six digits of an authenticator, or a recovery code, as they are typed: with blanks, in capitals. */
const secondCode = plain({ error: text.codeRequired })
  .overwrite((typed) => typed.replaceAll(/[\s-]/g, '').toLowerCase())
  .regex(/^(\d{6}|[0-9a-hjkmnp-tv-z]{10})$/, { error: '请输入6位验证码，或10位恢复码' })

/** `verificationCode`: for accounts with a second factor, else SECOND_FACTOR_REQUIRED (decision 0149). */
export const signInInput = z.object({
  username: plain({ error: text.required })
    .min(1, { error: text.required })
    .max(200, { error: text.tooLong(200) }),
  password: provenPassword(text.required),
  verificationCode: secondCode.optional(),
})

const currentPassword = provenPassword(text.currentPasswordRequired)
export const currentPasswordInput = z.object({ currentPassword })
export const secondCodeInput = z.object({ verificationCode: secondCode })
export const secondFactorInput = z.object({ currentPassword, verificationCode: secondCode })

/** ISO time, null: off. */
export const secondFactorView = z.object({ since: z.string().nullable(), recoveryCodesLeft: z.int() })
export type SecondFactorView = z.infer<typeof secondFactorView>
/** For an authenticator: base32 (RFC 4648), and the same as an `otpauth:` address. Shown once. */
export const secondFactorKey = z.object({ secret: z.string(), uri: z.string() })
export type SecondFactorKey = z.infer<typeof secondFactorKey>
/** Each signs in once. Shown once. */
export const recoveryCodesView = z.object({ recoveryCodes: z.array(z.string()) })

/** `/auth/profile`'s user; ISO times. */
export const userView = z.object({
  id: z.uuid(),
  username: z.string(),
  email: z.string(),
  role: z.enum(roles),
  isAdmin: z.boolean(),
  createdAt: z.string(),
})
export type UserView = z.infer<typeof userView>

/** An opaque token (256 bits, base64url). */
export const sessionView = userView.extend({ token: z.string() })
export type SessionView = z.infer<typeof sessionView>

export const forgotPasswordInput = z.object({ email })

/** Six digits; `code` is an alias of `verificationCode` (decisions, "Access"). */
const resetCode = plain({ error: text.codeRequired }).regex(/^\d{6}$/, { error: text.codeRequired })
export const resetPasswordInput = z
  .object({
    email,
    verificationCode: resetCode.optional(),
    code: resetCode.optional().meta({ description: '即 verificationCode，二者填一' }),
    newPassword: accountPassword,
  })
  .refine((input) => input.verificationCode ?? input.code, { path: ['verificationCode'], error: text.codeRequired })

/** A new password has 8 characters and needs the current one. */
export const updateProfileInput = z
  .object({
    username,
    email,
    currentPassword: givenPassword.nullish().meta({ description: '与 newPassword 一同填写' }),
    newPassword: nextPassword.nullish().meta({ description: '至少 8 个字符；不填则密码不变' }),
  })
  .superRefine((input, context) => {
    const { currentPassword: current, newPassword } = input
    if (newPassword && !current)
      context.addIssue({ code: 'custom', path: ['currentPassword'], message: text.currentPasswordRequired })
    if (current && !newPassword) context.addIssue({ code: 'custom', path: ['newPassword'], message: '请输入新密码' })
    if (newPassword && newPassword.length < 8)
      context.addIssue({ code: 'custom', path: ['newPassword'], message: '新密码至少需要8个字符' })
  })

/** Signed in. */
export const deviceView = z.object({
  id: z.uuid(),
  current: z.boolean(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
})
export type DeviceView = z.infer<typeof deviceView>

/** As `ssh-keygen` writes it: type, base64, optional comment. */
export const sshPublicKey = z
  .string({ error: '请输入公钥' })
  .trim()
  .max(4000, { error: text.badSshKey })
  .regex(
    /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) [A-Za-z0-9+/]{40,}={0,2}( [^\r\n]*)?$/,
    {
      error: text.badSshKey,
    },
  )
export const addSshKeyInput = z.object({
  name: label,
  publicKey: sshPublicKey,
})
/** Fingerprint: `SHA256:…`, as `ssh-keygen -l`. */
export const sshKeyView = z.object({
  id: z.uuid(),
  name: z.string(),
  publicKey: z.string(),
  fingerprint: z.string(),
  createdAt: z.string(),
})
export type SshKeyView = z.infer<typeof sshKeyView>

/** Yuan. */
export const adminUserView = userView.extend({
  status: z.enum(accountStatuses),
  secondFactor: z.boolean(),
  balance: fenToYuan.nullable(),
  orderCount: z.int(),
  activeCount: z.int(),
})
export type AdminUserView = z.infer<typeof adminUserView>
export type AdminUserInFen = z.input<typeof adminUserView>

/** By staff; never changed, never seen by the customer. */
export const userNoteView = z.object({
  id: z.uuid(),
  authorName: z.string(),
  body: z.string(),
  createdAt: z.string(),
})
export type UserNoteView = z.infer<typeof userNoteView>

export const userNoteBody = z
  .string({ error: text.required })
  .trim()
  .min(1, { error: text.required })
  .max(2000, { error: text.tooLong(2000) })
