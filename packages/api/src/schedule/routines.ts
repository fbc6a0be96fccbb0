import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import type { taskList } from './tasks.js'

type Routine = { task: keyof ReturnType<typeof taskList>; everyMinutes: number; atMinute: number }

const routines = [
  { task: 'sweep', everyMinutes: 1, atMinute: 0 },
  { task: 'test_connections', everyMinutes: 1, atMinute: 0 },
  { task: 'look_at_services', everyMinutes: 1, atMinute: 0 },
  { task: 'pack_metrics', everyMinutes: 5, atMinute: 0 },
  { task: 'tidy', everyMinutes: 60, atMinute: 7 },
  { task: 'forget_secrets', everyMinutes: 60, atMinute: 17 },
] as const satisfies readonly Routine[]

/** For tasks by the database's moment: a process whose clock is wrong would take them and do nothing. */
export const needsRightClock = 'right-clock'

/** Longer than any takes: whoever had it is gone. */
const heldMinutes = 5

/**
 * Each waits for its next minute by the database's clock. The library's crontab goes by the process's: one that was
 * days ahead put them off for all. Asked for by all, one is there; a failed one keeps its next minute.
 */
export async function askForRoutines(db: Db): Promise<void> {
  const every = sql`make_interval(mins => t."everyMinutes")`
  const first = sql`to_timestamp(0) + make_interval(mins => t."atMinute")`
  await sql`
    select graphile_worker.add_job(r.task, run_at := r.next, job_key := r.key, flags := array[${needsRightClock}])
    from (
      select t.task, 'routine:' || t.task as key, date_bin(${every}, clock_timestamp(), ${first}) + ${every} as next
      from jsonb_to_recordset(${JSON.stringify(routines)}::jsonb) as t(task text, "everyMinutes" int, "atMinute" int)) r
    where not exists (select from graphile_worker.jobs j where j.key = r.key and j.run_at <= r.next
      and j.attempts < j.max_attempts
      and coalesce(j.locked_at > clock_timestamp() - make_interval(mins => ${sql.lit(heldMinutes)}), true))`.execute(db)
}
