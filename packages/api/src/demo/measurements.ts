import { sql } from 'kysely'
import type { Tx } from '../db/client.js'

/**
 * A month of the demo's host, with the hours in which it was off, as its orders have it. How fast the doors answer is only ever
 * measured: nothing is made up from before the start.
 */
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
}
