import * as z from 'zod'
import { accountPassword } from './password.js'

export const roles = ['USER', 'ADMIN'] as const
export type Role = (typeof roles)[number]

/** 3 to 20 letters, digits and underscore (specification part 1 section 5; holds at registration too). */
export const username = z
  .string({ error: '此字段为必填项' })
  .trim()
  .min(1, { error: '此字段为必填项' })
  .regex(/^[A-Za-z0-9_]{3,20}$/, { error: '用户名需为3-20个字母、数字或下划线' })

/** A simple address pattern, as the specification asks. */
export const email = z
  .string({ error: '此字段为必填项' })
  .trim()
  .min(1, { error: '此字段为必填项' })
  .max(200, { error: '请输入有效的邮箱地址' })
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, { error: '请输入有效的邮箱地址' })

export const registerInput = z.object({ username, email, password: accountPassword })

export const signInInput = z.object({
  username: z.string({ error: '此字段为必填项' }).trim().min(1, { error: '此字段为必填项' }).max(200),
  password: z.string({ error: '此字段为必填项' }).min(1, { error: '此字段为必填项' }).max(128),
})

/** The user object as `/auth/profile` gives it. Times are ISO strings. */
export const userView = z.object({
  id: z.uuid(),
  username: z.string(),
  email: z.string(),
  role: z.enum(roles),
  isAdmin: z.boolean(),
  createdAt: z.string(),
})
export type UserView = z.infer<typeof userView>

/** Reply of sign-in and registration: the user object and the opaque session token (256 bits, base64url). */
export const sessionView = userView.extend({ token: z.string() })
export type SessionView = z.infer<typeof sessionView>
