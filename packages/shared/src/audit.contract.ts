import * as text from './text.js'
import * as z from 'zod'
import { actorKinds } from './audit.js'

/**
 * One act: who, what, on what, with which facts, when, and from which address (null for the program's own acts). An
 * edit's `details` hold `before` and `after` of the fields that it changed; amounts are in fen, and named so. Never a
 * secret.
 */
export const auditView = z.object({
  id: z.uuid(),
  at: z.string(),
  actorKind: z.enum(actorKinds),
  actorName: z.string().nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string().nullable(),
  address: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditView = z.infer<typeof auditView>

/** Why an administrator did it; kept in the audit log. */
export const staffReason = z
  .string({ error: text.reasonRequired })
  .trim()
  .min(1, { error: text.reasonRequired })
  .max(200, { error: text.tooLong(200) })
