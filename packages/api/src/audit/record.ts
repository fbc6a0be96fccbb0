import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../actor.js'
import type { Tx } from '../db/client.js'

export type AuditEntry = {
  action: string
  subject: { kind: string; id: string | null }
  /** Facts for an operator; never a secret. */
  details?: Record<string, unknown>
}

/** Writes down who did what, in the transaction of the act. */
export async function recordAudit(tx: Tx, actor: Actor, entry: AuditEntry, now: Date): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      id: uuidv7(),
      at: now,
      actor_id: actor.id,
      actor_kind: actor.kind,
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
}
