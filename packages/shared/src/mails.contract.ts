import * as z from 'zod'
import { wordOf } from './fields.contract.js'
import { mailStatuses, mailTemplates } from './mails.js'

/** Never the mail's words. */
export const mailView = z.object({
  id: z.uuid(),
  address: z.string(),
  template: wordOf(mailTemplates),
  subject: z.string().nullable(),
  status: z.enum(mailStatuses),
  attempts: z.int(),
  /** The mail server's last words. */
  error: z.string().nullable(),
  createdAt: z.string(),
  triedAt: z.string().nullable(),
})
export type MailView = z.infer<typeof mailView>
