import * as text from './text.js'
import * as z from 'zod'
import { actorKinds } from './audit.js'

/**
 * From which address (null: the program's own). An edit's `details` hold `before` and `after`; amounts in fen. Never a
 * secret.
 */
export const auditView = z.object({
  id: z.uuid(),
  at: z.string(),
  actorKind: z.enum(actorKinds),
  actorId: z.uuid().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string().nullable(),
  subjectName: z.string().nullable(),
  address: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditView = z.infer<typeof auditView>

/** An administrator's. */
export const staffReason = z
  .string({ error: text.reasonRequired })
  .trim()
  .min(1, { error: text.reasonRequired })
  .max(200, { error: text.tooLong(200) })
