import { storable } from '@vps/shared/storable'
import { shopKindOf } from '@vps/shared/notifications'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../actor.js'
import type { Tx } from '../db/client.js'
import { ahead } from '../db/ahead.js'
import { insertRow } from '../db/statement.js'
import { publish } from '../db/tx.js'

export type AuditEntry = {
  action: string
  subject: { kind: string; id: string | null }
  /** Never a secret. */
  details?: Record<string, unknown>
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that differ, for `details`; long texts are cut. */
export function changesOf(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter((name) => plain(before[name]) !== plain(after[name]))
  const only = (from: Fields) => Object.fromEntries(changed.map((name) => [name, shortened(from[name])]))
  return { before: only(before), after: only(after) }
}

const plain = (value: unknown) => JSON.stringify(value ?? null)
const mostCharacters = 300
function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : plain(value)
  if (text.length <= mostCharacters) return value ?? null
  return `${storable(text.slice(0, mostCharacters))}…`
}

/** In the act's transaction; tells operators' screens. */
export async function recordAudit(tx: Tx, actor: Actor, entry: AuditEntry, now: Date): Promise<void> {
  const row = {
    id: uuidv7(),
    at: now,
    actor_id: actor.id,
    actor_kind: actor.kind,
    address: actor.address ?? null,
    action: entry.action,
    subject_kind: entry.subject.kind,
    subject_id: entry.subject.id,
    details: JSON.stringify(entry.details ?? {}),
  }
  await ahead(tx, insertRow('audit_log', row))
  const kind = shopKindOf(entry.subject.kind)
  publish(tx, { shop: 'audit' }, ...(kind ? [{ shop: kind }] : []))
}
