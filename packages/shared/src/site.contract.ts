import * as z from 'zod'
import { plain } from './fields.contract.js'
import { placesFault } from './places.js'
import type { SiteSettings } from './site.js'
import * as text from './text.js'

/** One line; empty: not shown. */
const line = (most: number) =>
  z
    .string({ error: text.required })
    .trim()
    .max(most, { error: text.tooLong(most) })
const page = z
  .string({ error: text.required })
  .trim()
  .min(1, { error: text.required })
  .max(20_000, { error: text.tooLong(20_000) })
const places = z
  .string({ error: text.required })
  .trim()
  .max(4000, { error: text.tooLong(4000), abort: true })
  .check(({ value, issues }) => {
    const message = placesFault(value)
    if (message) issues.push({ code: 'custom', input: value, message })
  })
const day = z.union([z.literal(''), z.iso.date()], { error: text.badDate })

/** On the shop's public pages. */
export const siteSettings = z.object({
  qq: line(100),
  email: plain().pipe(z.union([z.literal(''), z.email()], { error: '邮箱格式不正确' })),
  wechat: line(100),
  phone: line(100),
  hours: line(100),
  company: line(100),
  icp: line(100),
  police: line(100),
  trial: line(20),
  users: line(20),
  dataCentres: line(20),
  availability: line(20),
  supportAnswer: line(20),
  latency: line(20),
  places,
  voices: z.boolean(),
  alipay: z.boolean(),
  wxpay: z.boolean(),
  qqpay: z.boolean(),
  bank: z.boolean(),
  jdpay: z.boolean(),
  paypal: z.boolean(),
  usdt: z.boolean(),
  termsDate: day,
  terms: page,
  privacyDate: day,
  privacy: page,
}) satisfies z.ZodType<SiteSettings>

/** Who saved last, and when; version 0: nobody. */
export const siteVersion = siteSettings.extend({
  version: z.int(),
  savedAt: z.string().nullable(),
  savedBy: z.string().nullable(),
})
export type SiteVersion = z.infer<typeof siteVersion>

/** Changes, and the version they were made in. */
export const siteInput = siteSettings.partial().extend({ version: z.int({ error: text.required }) })
export type SiteInput = z.infer<typeof siteInput>
