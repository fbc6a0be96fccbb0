import type { Fen } from '@vps/shared/money'
import { overviewMonths } from '@vps/shared/overview'
import type { MonthsInFen } from '@vps/shared/overview.contract'
import { addMonths, startOfShanghaiMonth } from '@vps/shared/time'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/client.js'

type Income = { recharged: Fen; spent: Fen; refunded: Fen }
/** Of ledger entries: what came in, what was paid for orders, what of that went back to wallets. */
const income = sql`coalesce(sum(amount_fen) filter (where type = 'RECHARGE'), 0)::bigint as recharged,
  coalesce(-sum(amount_fen) filter (where type = 'ORDER_PAYMENT'), 0)::bigint as spent,
  coalesce(sum(amount_fen) filter (where type = 'REFUND'), 0)::bigint as refunded`

export function shanghaiDayOf(column: string): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`
}

/** Days without an entry are left out. */
export async function readIncome(db: Db, since: Date) {
  const { rows } = await sql<Income & { day: string }>`
    select ${shanghaiDayOf('created_at')} as day, ${income}
    from ledger_entries where created_at >= ${since} group by 1`.execute(db)
  return rows
}

/** A month each by ranges of indexes, so that the shop's older years cost nothing. */
export async function readMonths(db: Db, now: Date): Promise<MonthsInFen> {
  const thisMonth = startOfShanghaiMonth(now)
  const starts = Array.from({ length: overviewMonths + 1 }, (_, n) => addMonths(thisMonth, n + 1 - overviewMonths))
  const { rows } = await sql<Income & { month: string; setUps: number; newUsers: number }>`
    select to_char(since at time zone 'Asia/Shanghai', 'YYYY-MM') as month, entries.*,
      (select count(*) from orders where activated_at >= since and activated_at < until) as "setUps",
      (select count(*) from users where created_at >= since and created_at < until) as "newUsers"
    from unnest(${starts.slice(0, -1)}::timestamptz[], ${starts.slice(1)}::timestamptz[]) as months (since, until),
      lateral (select ${income} from ledger_entries where created_at >= since and created_at < until) as entries
    order by 1`.execute(db)
  return rows
}
