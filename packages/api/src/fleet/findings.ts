import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../db/client.js'

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
