import { sql } from 'kysely'
import type { TestApp } from './app.js'

const tables =
  'addresses announcements audit_log cold_migrations connection_tests dedicated_servers evacuations findings host_groups host_ip_pools hosts ip_pools jobs ledger_entries machine_secrets order_periods order_reminders order_upgrades orders payment_trades payments placements refund_requests servers settings tenancies wallets'.split(
    ' ',
  )

/** One text, to compare before and after a refusal. */
export async function everyRow({ owner }: Pick<TestApp, 'owner'>): Promise<string> {
  const each = tables.map(
    (table) => `select '${table}' as place, jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text) as rows from ${table} t`,
  )
  const { rows } = await sql<{ all: string }>`
    select jsonb_object_agg(place, rows)::text as all from (${sql.raw(each.join(' union all '))}) r`.execute(owner)
  return rows[0]?.all ?? ''
}

export async function countOf(
  { db }: Pick<TestApp, 'db'>,
  table:
    | 'jobs'
    | 'ledger_entries'
    | 'orders'
    | 'payments'
    | 'placements'
    | 'servers'
    | 'findings'
    | 'addresses'
    | 'audit_log',
): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}
