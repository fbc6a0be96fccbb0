import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import { figures } from '../metric-engine.js'
import { levels, type Level } from './levels.js'
import { createMeans, pointsOf } from './means.js'
import { createPartitions } from './partitions.js'

/** What was sent in its last moments is there by then. */
const graceSeconds = 60

/**
 * Makes the means of what passed, one statement for some sources or subjects; drops the too old. Repeatable at any
 * point; a level is read up to where it is whole.
 */
export async function packMetrics(db: Db, now: Date): Promise<void> {
  await createLevels(db, now)
  const settled = new Date(now.getTime() - graceSeconds * 1_000)
  const minutes = await packLevel(db, levels.minute, { until: settled, batch: minutesOf, batchSize: 20 })
  for (const level of [levels.quarter, levels.hour])
    await packLevel(db, level, { until: minutes, batch: minutePoints, batchSize: 500 })
  await createPartitions(db)
}

/** Of an empty database: nothing to pack. */
export async function createLevels(db: Db, now: Date): Promise<void> {
  for (const { name, chunkSeconds } of Object.values(levels))
    await db
      .insertInto('metric_levels')
      .values({ name, packed_until: floorTo(now, chunkSeconds) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const floorTo = (at: Date, seconds: number) => new Date(Math.floor(at.getTime() / (seconds * 1_000)) * seconds * 1_000)

type Chunk = { from: Date; to: Date }
type Batch = { keys: RawBuilder<unknown>; points: (keys: readonly string[]) => RawBuilder<unknown> }
type Plan = { until: Date; batch: (chunk: Chunk, after: string, size: number) => Batch; batchSize: number }

async function packLevel(db: Db, level: Level, { until, batch, batchSize }: Plan): Promise<Date> {
  const { packed_until } = await db
    .selectFrom('metric_levels')
    .select('packed_until')
    .where('name', '=', level.name)
    .executeTakeFirstOrThrow()
  let from = packed_until
  const end = floorTo(until, level.chunkSeconds)
  while (from < end) {
    const to = new Date(from.getTime() + level.chunkSeconds * 1_000)
    for (let after = nil; ;) {
      const { keys, points } = batch({ from, to }, after, batchSize)
      const { rows } = await sql<{ key: string }>`${keys}`.execute(db)
      const last = rows.at(-1)
      if (!last) break
      await createMeans(db, level, points(rows.map(({ key }) => key)))
      after = last.key
    }
    await db.updateTable('metric_levels').set({ packed_until: to }).where('name', '=', level.name).execute()
    from = to
  }
  return from
}

const nil = '00000000-0000-0000-0000-000000000000'

function minutesOf({ from, to }: Chunk, after: string, size: number): Batch {
  const inChunk = sql`s.at >= ${from} and s.at < ${to}`
  return {
    keys: sql`select distinct s.source_id as key from samples s where ${inChunk} and s.source_id > ${after} order by 1 limit ${size}`,
    points: (sources) => sql`
      select u.subject_id, s.at, ${sql.join(figures.map((name) => (name === 'load1' ? ownLoad : sql`u.${sql.ref(name)}`)))}
      from samples s cross join unnest(s.subject_ids, s.cpu_usage, s.memory_usage, s.disk_usage, s.rx_rate, s.tx_rate)
        u(subject_id, cpu_usage, memory_usage, disk_usage, rx_rate, tx_rate)
      where ${inChunk} and s.source_id = any(${sources}::uuid[])`,
  }
}

const ownLoad = sql`case when u.subject_id = s.source_id then s.load1 end as load1`

function minutePoints({ from, to }: Chunk, after: string, size: number): Batch {
  const inChunk = sql`m.at >= ${from} and m.at < ${to}`
  return {
    keys: sql`select distinct m.subject_id as key from minute_means m where ${inChunk} and m.subject_id > ${after} order by 1 limit ${size}`,
    points: (subjects) => pointsOf(levels.minute, sql`${inChunk} and m.subject_id = any(${subjects}::uuid[])`),
  }
}
