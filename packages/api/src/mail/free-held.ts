import { sql } from 'kysely'
import type { Db } from '../db/client.js'

/** Longer than a mail server may take that is silent as long as allowed (`deps.ts`). */
const heldMinutes = 20

/** Whoever had these is gone: the job library would keep them for four hours. */
export async function freeHeldMails(db: Db): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(locked_by)) from graphile_worker.jobs
    where task_identifier in ('send_mail', 'send_reset_code')
      and locked_at < clock_timestamp() - make_interval(mins => ${sql.lit(heldMinutes)})`.execute(db)
}
