import { randomUUID } from 'node:crypto'
import type { MetricRange } from '@vps/shared/servers'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { packMetrics } from './pack.js'
import { readMeans } from './read-means.js'
import { createPastSamples, createSample } from './samples.js'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

let app: TestApp
let now: Date
let midnight: number
let lastHour: number
beforeEach(async () => {
  app = await startApp()
  now = app.deps.now()
  midnight = Math.floor(now.getTime() / day) * day
  lastHour = Math.floor(now.getTime() / hour) * hour
})
afterEach(() => app.close())

const host = randomUUID()
const [machine, other] = [randomUUID(), randomUUID()]

async function told(at: number, cpu: Record<string, number>, source = host): Promise<void> {
  const ids = Object.keys(cpu)
  const values = Object.values(cpu)
  const none = ids.map(() => null)
  await sql`insert into samples values (${source}, ${new Date(at)}, ${ids}::uuid[], ${values}::real[], ${values}::real[], ${none}::real[],
    ${none}::real[], ${none}::real[], 1)`.execute(app.db)
}
/** As if the last look was so long ago. */
async function packedUntil(at: number, ...names: ('minute' | 'quarter' | 'hour')[]): Promise<void> {
  const values = names.map((name) => ({ name, packed_until: new Date(at) }))
  await app.db
    .insertInto('metric_levels')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ packed_until: eb.ref('excluded.packed_until') })),
    )
    .execute()
}
async function cpuOver(range: MetricRange, subjectId = host, span: Parameters<typeof readMeans>[1]['span'] = 'all') {
  const means = await readMeans(
    { db: app.db, engine: null },
    { subjectId, span, range, columns: ['cpuUsage', 'load1'], now },
  )
  return means!.points.flatMap(({ cpuUsage }) => cpuUsage ?? [])
}
const rowsOf = async (table: 'minute_means' | 'quarter_means' | 'hour_means', subjectId: string) =>
  (await app.db.selectFrom(table).selectAll().where('subject_id', '=', subjectId).orderBy('at').execute()).map(
    ({ at, cpu_usage }) => ({
      at: at.getTime(),
      cpu: cpu_usage.flatMap((value, n) => (value === null ? [] : [[n, value]])),
    }),
  )

describe('packing', () => {
  test('makes a row of an hour’s minutes for each that was told of, once the hour is over', async () => {
    await packedUntil(lastHour - hour, 'minute')
    await packedUntil(midnight, 'quarter', 'hour')
    const from = lastHour - hour
    await told(from + 10_000, { [host]: 10, [machine]: 30 })
    await told(from + 20_000, { [host]: 20, [machine]: 50 })
    await told(from + 59 * minute, { [host]: 40 })
    await told(lastHour, { [host]: 99 })
    await packMetrics(app.db, new Date(lastHour + minute))
    expect(await rowsOf('minute_means', host)).toEqual([
      {
        at: from,
        cpu: [
          [0, 15],
          [59, 40],
        ],
      },
    ])
    expect(await rowsOf('minute_means', machine)).toEqual([{ at: from, cpu: [[0, 40]] }])
  })

  test('waits a minute for what is on its way, and does nothing twice', async () => {
    await packedUntil(lastHour - hour, 'minute')
    await packedUntil(midnight, 'quarter', 'hour')
    await told(lastHour - minute, { [host]: 10 })
    await packMetrics(app.db, new Date(lastHour + minute - 1))
    expect(await rowsOf('minute_means', host)).toEqual([])
    for (const again of [minute, minute, 2 * minute]) await packMetrics(app.db, new Date(lastHour + again))
    expect(await rowsOf('minute_means', host)).toEqual([{ at: lastHour - hour, cpu: [[59, 10]] }])
    // Broken off before it wrote how far it came.
    await packedUntil(lastHour - hour, 'minute')
    await packMetrics(app.db, new Date(lastHour + minute))
    expect(await rowsOf('minute_means', host)).toEqual([{ at: lastHour - hour, cpu: [[59, 10]] }])
  })

  test('keeps what both hosts told of a machine that moved between them', async () => {
    await packedUntil(lastHour - hour, 'minute')
    await packedUntil(midnight, 'quarter', 'hour')
    await told(lastHour - hour, { [machine]: 10 })
    await told(lastHour - minute, { [machine]: 20 }, other)
    await packMetrics(app.db, new Date(lastHour + minute))
    expect(await rowsOf('minute_means', machine)).toEqual([
      {
        at: lastHour - hour,
        cpu: [
          [0, 10],
          [59, 20],
        ],
      },
    ])
  })

  test('makes a day’s quarters and hours of its minutes', async () => {
    const yesterday = midnight - day
    await packedUntil(yesterday, 'minute', 'quarter', 'hour')
    await inTx(app.db, async (tx) => {
      await packedUntil(midnight, 'minute')
      const samples = [0, 1, 14, 15, 61].map((n) => ({ at: new Date(yesterday + n * minute), cpu_usage: n }))
      await createPastSamples(tx, host, samples, now)
    })
    await packMetrics(app.db, new Date(midnight + 2 * minute))
    expect(await rowsOf('quarter_means', host)).toEqual([
      {
        at: yesterday,
        cpu: [
          [0, 5],
          [1, 15],
          [4, 61],
        ],
      },
    ])
    expect(await rowsOf('hour_means', host)).toEqual([
      {
        at: yesterday,
        cpu: [
          [0, 7.5],
          [1, 61],
        ],
      },
    ])
  })
})

describe('a chart', () => {
  test('reads samples for the hour, and means where they are made and samples after them for longer', async () => {
    await packedUntil(lastHour - hour, 'minute')
    await packedUntil(midnight, 'quarter', 'hour')
    await told(lastHour - 15 * minute, { [host]: 10 })
    await told(now.getTime() - 10_000, { [host]: 30 })
    for (let packed = 0; packed < 2; packed++) {
      expect((await cpuOver('hour')).at(-1)).toBe(30)
      expect(await cpuOver('day')).toEqual(expect.arrayContaining([10, 30]))
      expect((await cpuOver('month')).length).toBeGreaterThan(0)
      await packMetrics(app.db, now)
    }
  })

  test('of a machine reads what its hosts told of it alone', async () => {
    await told(now.getTime() - 20_000, { [machine]: 70, [other]: 10 }, machine)
    expect(await cpuOver('hour', machine)).toEqual([70])
  })

  test('shows nothing of the time before or after a tenancy, not even as part of a mean', async () => {
    const from = lastHour - 4 * hour
    await packedUntil(lastHour, 'minute')
    await packedUntil(midnight, 'quarter', 'hour')
    await inTx(app.db, (tx) =>
      createPastSamples(
        tx,
        machine,
        [0, 1, 2, 3].map((n) => ({ at: new Date(from + n * minute), cpu_usage: n * 10 })),
        now,
      ),
    )
    const span = { from: new Date(from + 30_000), until: new Date(from + 150_000) }
    expect(await cpuOver('day', machine, span)).toEqual([10])
    expect(await cpuOver('day', machine)).toEqual([15])
  })
})

test('what is told late is where others of its age are: each range shows it', async () => {
  const ago = { hour: 30 * minute, day: 20 * hour, week: 6 * day, month: 29 * day }
  await inTx(app.db, (tx) =>
    createPastSamples(
      tx,
      host,
      Object.values(ago).map((ms, n) => ({ at: new Date(now.getTime() - ms), cpu_usage: n + 1 })),
      now,
    ),
  )
  expect(await cpuOver('hour')).toEqual([1])
  expect(await cpuOver('day')).toContain(2)
  expect(await cpuOver('week')).toContain(3)
  expect(await cpuOver('month')).toContain(4)
})

describe('partitions', () => {
  const partitions = async (on = app.owner) => {
    const { rows } = await sql<{
      name: string
    }>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where c.relkind = 'r' order by 1`.execute(on)
    return rows.map(({ name }) => name)
  }

  test('that are missing are made when something is told, by a role that may change nothing itself', async () => {
    const own = await startApp({ env: { LOG_LEVEL: 'error' } })
    const names = (await partitions(own.owner)).filter((name) => name.startsWith('samples_'))
    for (const name of names) await sql`drop table ${sql.table(name)}`.execute(own.owner)
    await createSample({ db: own.db, engine: null }, machine, { cpuUsage: 1, memoryUsage: null, diskUsage: null })
    const made = (await partitions(own.owner)).filter((name) => name.startsWith('samples_'))
    expect(made.length).toBeGreaterThan(5)
    await expect(sql`create table samples_mine partition of samples default`.execute(own.db)).rejects.toMatchObject({
      code: '42501',
    })
    await expect(sql`drop table ${sql.table(made[0]!)}`.execute(own.db)).rejects.toMatchObject({ code: '42501' })
    await own.close()
  })

  test('are dropped when they are too old and nothing is to be made of them any more', async () => {
    const database = await startApp({ env: { LOG_LEVEL: 'warn' } })
    const old = (name: string, at: number) =>
      `${name}_${new Date(at).toISOString().replaceAll(/[-T]/g, '').slice(0, 10)}`
    const add = async (table: string, at: number, length: number) => {
      await sql`create table ${sql.table(old(table, at))} partition of ${sql.table(table)}
        for values from (${sql.lit(new Date(at).toISOString())}) to (${sql.lit(new Date(at + length).toISOString())})`.execute(
        database.owner,
      )
      return old(table, at)
    }
    const [samples, kept, quarters] = [
      await add('samples', lastHour - 5 * hour, hour),
      await add('minute_means', midnight - 4 * day, day),
      await add('quarter_means', midnight - 62 * day, day),
    ]
    await database.db.deleteFrom('metric_levels').execute()
    await sql`insert into metric_levels values ('minute', ${now}), ('quarter', ${new Date(midnight - 4 * day)}), ('hour', ${now})`.execute(
      database.db,
    )
    await sql`select keep_metric_partitions()`.execute(database.db)
    const left = await partitions(database.owner)
    expect([samples, kept, quarters].map((name) => left.includes(name))).toEqual([false, true, false])
    await database.close()
  })
})
