/** What metrics take for 60 days, every level full, beside a row a minute. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../../../packages/api/src/db/migrate.js'
import { costRow, type Row } from '../world/row.js'
import { startPostgres } from '../../../scripts/postgres.js'

const days = 60
const machinesOfHost = 50
const machines = 1_000
/** A row a minute is as large for each machine: these count for all. */
const rawMachines = 50

export async function weight(): Promise<Row[]> {
  const { bytes, rawBytes } = await measureMetricsBytes()
  const name = `metrics of ${machines.toLocaleString('en')} machines for ${days} days`
  return [costRow(name, 'a row a minute and machine', 'MB', 0.1, rawBytes / 2 ** 20, bytes / 2 ** 20)]
}

/** About two minutes. */
async function measureMetricsBytes(): Promise<{ bytes: number; rawBytes: number }> {
  const postgres = await startPostgres({ dir: fs.mkdtempSync(path.join(os.tmpdir(), 'vps-metrics-')), throwAway: true })
  const client = new pg.Client({ connectionString: postgres.url })
  try {
    await migrate({ databaseUrl: postgres.url, databaseOwnerUrl: null })
    await client.connect()
    const bytesOf = async (...tables: string[]) => {
      const { rows } = await client.query<{ bytes: string }>(
        `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c left join pg_inherits i on i.inhrelid = c.oid
         where c.relkind = 'r' and (c.oid = any($1::regclass[]) or i.inhparent = any($1::regclass[]))`,
        [tables],
      )
      return Number(rows[0]?.bytes)
    }
    await client.query(
      `create temp table machines as select gen_random_uuid() as id, (n - 1) / ${machinesOfHost} as host from generate_series(1, $1::int) n`,
      [machines],
    )
    await client.query(`create temp table hosts_of as select host, gen_random_uuid() as id from machines group by host`)
    // As it came in.
    await client.query(`create table raw (server_id uuid, at timestamptz, cpu_usage real, memory_usage real, disk_usage real, rx_bytes bigint,
      tx_bytes bigint, primary key (server_id, at))`)
    await client.query(`create index on raw using brin (at)`)
    await client.query(`insert into raw select m.id, at, random() * 100, random() * 100, random() * 100, random() * 1e12, random() * 1e12
      from generate_series(date_trunc('minute', now()) - interval '${days} days', now(), interval '1 minute') at,
        (select id from machines limit ${rawMachines}) m`)
    await client.query(`select keep_metric_partitions(now() - interval '${days} days')`)
    // The most there ever is: until a partition goes.
    await client.query(`insert into samples select h.id, at, array_agg(m.id), array_agg((random() * 100)::real), array_agg((random() * 100)::real),
        array_agg((random() * 100)::real), array_agg((random() * 1e8)::real), array_agg((random() * 1e8)::real), 1
      from generate_series(date_trunc('hour', now()) - interval '2 hours', date_trunc('hour', now()) + interval '59 minutes', interval '10 seconds') at,
        machines m join hosts_of h using (host) group by h.id, at`)
    for (const [table, since, chunk, steps] of [
      ['minute_means', `date_trunc('day', now()) - interval '2 days'`, '1 hour', 60],
      ['quarter_means', `date_trunc('day', now()) - interval '${days} days'`, '1 day', 96],
      ['hour_means', `date_trunc('day', now()) - interval '${days} days'`, '1 day', 24],
    ] as const)
      await client.query(`insert into ${table} select m.id, at, a.a, a.a, a.a, a.a, a.a, array_fill(null::real, array[${steps}])
        from generate_series(${since}, date_trunc('day', now()) + interval '1 day' - interval '${chunk}', interval '${chunk}') at, machines m,
          lateral (select array(select (random() * 100 + extract(epoch from at) * 0)::real from generate_series(1, ${steps})) as a) a`)
    const rawBytes = (await bytesOf('raw')) * (machines / rawMachines)
    const bytes = await bytesOf('samples', 'minute_means', 'quarter_means', 'hour_means')
    return { bytes, rawBytes }
  } finally {
    await client.end()
    await postgres.stop()
  }
}
