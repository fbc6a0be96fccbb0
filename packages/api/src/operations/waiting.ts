import { failedJobDays } from '@vps/shared/overview'
import type { Waiting } from '@vps/shared/overview.contract'
import { shanghaiDay, startOfShanghaiDay } from '@vps/shared/time'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { must } from '../must.js'

const dayMs = 86_400_000

/** What waits for staff: each by an index, in one statement. ADMIN only. */
export async function readWaiting(db: Db, now: Date): Promise<Waiting> {
  const since = startOfShanghaiDay(shanghaiDay(new Date(now.getTime() - (failedJobDays - 1) * dayMs)))
  const { rows } = await sql<Waiting>`select
    (select count(*) from refund_requests where status = 'PENDING') as refunds,
    (select count(*) from jobs where status = 'FAILED' and created_at >= ${since}) as jobs,
    (select count(*) from findings where resolved_at is null) as findings`.execute(db)
  return must(rows[0])
}
