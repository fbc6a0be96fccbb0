import * as text from '@vps/shared/text'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { giveUpQueued } from '../jobs/sweep.js'

/** Queued jobs that nobody will do; a running one is queued once its lease is lost. */
export async function findStranded(db: Db, _now: Date, batch: Batch): Promise<string[]> {
  const stranded = await db
    .selectFrom('jobs as j')
    .innerJoin('hosts as h', 'h.id', 'j.host_id')
    .select('j.id')
    .where('j.status', '=', 'QUEUED')
    .where('h.status', '=', 'RETIRED')
    .where(outside(batch, 'j.id'))
    .orderBy('j.run_at')
    .limit(batch.limit)
    .execute()
  return stranded.map((job) => job.id)
}

/** No move leads back from RETIRED: not asked again. */
export async function endStranded(tx: Tx, jobId: string, now: Date): Promise<void> {
  await giveUpQueued(tx, jobId, now, text.hostRetired)
}

/** Retired hosts with open findings: no inventory will show that those are gone. */
export async function findFoundOnRetired(db: Db, _now: Date, batch: Batch): Promise<string[]> {
  const retired = await db
    .selectFrom('hosts as h')
    .select('h.id')
    .where('h.status', '=', 'RETIRED')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('findings as f')
          .select('f.id')
          .whereRef('f.host_id', '=', 'h.id')
          .where('f.resolved_at', 'is', null),
      ),
    )
    .where(outside(batch, 'h.id'))
    .limit(batch.limit)
    .execute()
  return retired.map((host) => host.id)
}
