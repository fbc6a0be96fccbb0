import { sql } from 'kysely'
import type { Tx } from '../db/client.js'

/** What was measured before the demo began: a month of the host, with the hours in which it was off, and a day of the doors. */
export async function seedMeasurements(tx: Tx, hostId: string, now: Date): Promise<void> {
  // Busier in the evening than at night, with something on top that is never the same.
  const daytime = sql`0.5 + 0.5 * sin(2 * pi() * (extract(epoch from at)::float8 / 86400 - 0.42))`
  await sql`
    insert into host_samples (host_id, at, cpu_usage, memory_usage, disk_usage, load1)
    select ${hostId}, at, cpu, 36 + 5 * (${daytime}) + random(), 11 + extract(epoch from at - ${now}::timestamptz) / 86400 / 15,
      cpu / 100 * 2000 * (0.95 + random() * 0.1)
    from (select at, 9 + 18 * (${daytime}) + 2 * sin(extract(epoch from at)::float8 / 900) + 3 * random() as cpu
      from generate_series(date_trunc('minute', ${now}::timestamptz) - interval '30 days', date_trunc('minute', ${now}::timestamptz), interval '1 minute') at
      where at not between ${now}::timestamptz - interval '9 days 14 hours' and ${now}::timestamptz - interval '9 days') samples`.execute(
    tx,
  )
  await sql`
    insert into request_minutes (at, door, up_to_ms, requests)
    select at, door, up_to_ms, requests from (
      select at, door, up_to_ms, round(share * (8 + 40 * (${daytime})) * (0.4 + random()))::int as requests
      from generate_series(date_trunc('minute', ${now}::timestamptz) - interval '1 day', date_trunc('minute', ${now}::timestamptz) - interval '1 minute', interval '1 minute') at
      cross join (values ('web', 5, 0.22), ('web', 10, 0.45), ('web', 20, 0.2), ('web', 50, 0.06), ('web', 200, 0.02),
        ('rest', 5, 0.08), ('rest', 10, 0.05), ('rest', 50, 0.01), ('agent', 2, 0.05), ('agent', 5, 0.2), ('agent', 10, 0.04)) as doors(door, up_to_ms, share)
    ) measured where requests > 0`.execute(tx)
}
