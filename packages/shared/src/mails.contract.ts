import * as z from 'zod'
import { mailStatuses, mailTemplates } from './mails.js'

/** A mail as staff see it: to whom, about what and what became of it; never its words. */
export const mailView = z.object({
  id: z.uuid(),
  address: z.string(),
  template: z.enum(mailTemplates),
  subject: z.string().nullable(),
  status: z.enum(mailStatuses),
  attempts: z.int(),
  /** What the mail server said of the last attempt. */
  error: z.string().nullable(),
  createdAt: z.string(),
  triedAt: z.string().nullable(),
})
export type MailView = z.infer<typeof mailView>
