import { shopKindOf } from '@vps/shared/notifications'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../actor.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'

export type AuditEntry = {
  action: string
  subject: { kind: string; id: string | null }
  /** Facts for an operator; never a secret. */
  details?: Record<string, unknown>
}

type Fields = Readonly<Record<string, unknown>>

/**
 * What an edit changed, for `details`: the fields that differ, as they were and as they are. Long texts (a sales page)
 * are cut: the log says that and where they changed, not the whole page twice.
 */
export function changesOf(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter((name) => plain(before[name]) !== plain(after[name]))
  const only = (from: Fields) => Object.fromEntries(changed.map((name) => [name, shortened(from[name])]))
  return { before: only(before), after: only(after) }
}

const plain = (value: unknown) => JSON.stringify(value ?? null)
const mostCharacters = 300
function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : plain(value)
  return text.length <= mostCharacters ? (value ?? null) : `${text.slice(0, mostCharacters)}…`
}

/**
 * Writes down who did what, from where, in the transaction of the act. What is worth writing down is worth looking at:
 * this is also how operators' screens hear of it.
 */
export async function recordAudit(tx: Tx, actor: Actor, entry: AuditEntry, now: Date): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      id: uuidv7(),
      at: now,
      actor_id: actor.id,
      actor_kind: actor.kind,
      address: actor.address ?? null,
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
  const kind = shopKindOf(entry.subject.kind)
  publish(tx, { shop: 'audit' }, ...(kind ? [{ shop: kind }] : []))
}
