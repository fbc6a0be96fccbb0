/**
 * Whole images whose guests never came up: an open finding. Not sold on that host, nor anywhere once two hosts say so of
 * one content, until an operator resolves it, the file changes, or a guest comes up.
 */
import type { Inventory } from '@vps/shared/agent.contract'
import type { UnbootableImage } from '@vps/shared/jobs.contract'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { recordFinding, resolveSome } from '../findings/findings.js'

const kind = 'unbootable-image'
const hostsEnough = 2

const open = sql`f.kind = ${sql.lit(kind)} and f.resolved_at is null`

/** Of host `h`: ready and bootable files. */
export const bootableImages = sql<string[]>`array(
  select file from unnest(h.images) file
  where file <> all(array(select f.subject from findings f where f.host_id = h.id and ${open}))
    and file <> all(array(select f.subject from findings f where ${open}
      group by f.subject, f.details->>'sha256' having count(*) >= ${sql.lit(hostsEnough)})))`

/** A host waited for its guest in vain. */
export async function markUnbootable(
  tx: Tx,
  hostId: string,
  { file, sha256 }: UnbootableImage,
  reason: string,
  now: Date,
): Promise<void> {
  await recordFinding(tx, { hostId, kind, subject: file, details: { sha256, reason } }, now)
  publish(tx, { shop: 'image' })
}

/** Its guest came up. */
export async function markBootable(tx: Tx, hostId: string, file: string, now: Date): Promise<void> {
  await resolve(tx, hostId, sql<boolean>`subject = ${file}`, now)
}

/** Findings about a file do not hold for its successor. */
export async function deleteReplaced(
  tx: Tx,
  hostId: string,
  { images }: Pick<Inventory, 'images'>,
  now: Date,
): Promise<void> {
  const known = sql`jsonb_to_recordset(${JSON.stringify(images)}::jsonb) as i(file text, sha256 text)`
  const isOther = sql<boolean>`not exists (select from ${known} where i.file = subject
    and coalesce(i.sha256 = details->>'sha256', true))`
  await resolve(tx, hostId, isOther, now)
}

async function resolve(tx: Tx, hostId: string, which: RawBuilder<boolean>, now: Date): Promise<void> {
  if (await resolveSome(tx, { hostId, kind, which }, now)) publish(tx, { shop: 'image' })
}
