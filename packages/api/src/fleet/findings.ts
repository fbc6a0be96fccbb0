import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { PageInput } from '@vps/shared/page'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, isOneOf, pageOfIds, toPage } from '../db/page.js'
import { fail } from '../errors.js'

export type Finding = {
  hostId: string
  kind: 'stray-domain' | 'stray-volume' | 'missing-domain' | 'second-agent' | 'shrunk-host'
  subject: string
  details: Record<string, unknown>
}

/** Notes what no job explains; seen again, the same finding only grows older. */
export async function noteFinding(db: Db, finding: Finding, now: Date): Promise<void> {
  await db
    .insertInto('findings')
    .values({
      id: uuidv7(),
      host_id: finding.hostId,
      kind: finding.kind,
      subject: finding.subject,
      details: JSON.stringify(finding.details),
      first_seen_at: now,
      last_seen_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['host_id', 'kind', 'subject'])
        .where('resolved_at', 'is', null)
        .doUpdateSet({ last_seen_at: now, details: sql`excluded.details` }),
    )
    .execute()
}

/** What inventories saw that no job explains, newest first. */
export async function pageFindings(db: Db, input: PageInput & { open: boolean }) {
  let filtered = db.selectFrom('findings as f').select('f.id')
  if (input.open) filtered = filtered.where('f.resolved_at', 'is', null)
  const ids = await pageOfIds(filtered.orderBy('f.last_seen_at', 'desc').orderBy('f.id'), input)
  const [rows, count] = await Promise.all([
    db
      .selectFrom('findings as f')
      .innerJoin('hosts as h', 'h.id', 'f.host_id')
      .selectAll('f')
      .select('h.name as hostName')
      .where(isOneOf('f.id', ids))
      .orderBy('f.last_seen_at', 'desc')
      .orderBy('f.id')
      .execute(),
    countRows(db, filtered),
  ])
  const content = rows.map((row) => ({
    id: row.id,
    hostName: row.hostName,
    kind: row.kind,
    subject: row.subject,
    details: (row.details ?? {}) as Record<string, unknown>,
    firstSeenAt: row.first_seen_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  }))
  return toPage(content, count, input)
}

/** An operator has dealt with it; seen again, it becomes a new finding. NOT_FOUND. */
export async function resolveFinding(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await tx
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .returning('kind')
    .executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'finding.resolve', subject: { kind: 'finding', id }, details: row },
    now,
  )
}
