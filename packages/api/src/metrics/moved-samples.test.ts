/** 0031 on a database in use, which the version before still writes. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseBefore } from '../testing/database.js'

let db: Awaited<ReturnType<typeof databaseBefore>>
const [host, machine] = [1, 2].map((last) => `00000000-0000-7000-8000-00000000000${last}`)
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
let thisHour: number
let threeDaysAgo: number
const iso = (at: number) => new Date(at).toISOString()

async function sample(at: number, cpu: number, rxBytes: number) {
  await db.query(
    `insert into metric_samples (server_id, at, cpu_usage, rx_bytes, tx_bytes) values ('${machine}', '${iso(at)}', ${cpu}, ${rxBytes}, 0)`,
  )
}
const means = async (table: string, id: string | undefined) =>
  (await db.query(`select at, cpu_usage, rx_rate, load1 from ${table} where subject_id = '${id}' order by at`)).map(
    (row) =>
      ({ at: (row['at'] as Date).getTime(), cpu: row['cpu_usage'], rx: row['rx_rate'], load1: row['load1'] }) as {
        at: number
        cpu: unknown[]
        rx: unknown[]
        load1: unknown[]
      },
  )

beforeAll(async () => {
  db = await databaseBefore('0031')
  // The migration goes by the database's clock: not while an hour ends.
  const leftMs = hour - (Date.now() % hour)
  if (leftMs < 20_000) await setTimeout(leftMs)
  thisHour = Math.floor(Date.now() / hour) * hour
  threeDaysAgo = Math.floor(Date.now() / day) * day - 3 * day
  await db.query(`insert into hosts (id, name, created_at, updated_at) values ('${host}', 'h', now(), now())`)
  await db.query(`insert into categories (id, name, created_at, updated_at) values ('${host}', 'c', now(), now())`)
  await db.query(
    `insert into server_groups (id, category_id, name, created_at, updated_at) values ('${host}', '${host}', 'g', now(), now())`,
  )
  await db.query(`insert into servers (id, driver, group_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, created_at, updated_at)
    values ('${machine}', 'kvm', '${host}', 'n', 2, 4, 40, 0, now(), now())`)
  await sample(threeDaysAgo, 10, 0)
  await sample(threeDaysAgo + minute, 20, 6_000)
  await sample(thisHour - 30 * minute, 30, 0)
  await sample(thisHour, 40, 1_800)
  await db.query(
    `insert into host_samples (host_id, at, cpu_usage, load1) values ('${host}', '${iso(threeDaysAgo + hour)}', 5, 1.5)`,
  )
  await db.next()
})
afterAll(() => db.drop())

test('days that are over become quarters and hours, hours that are over minutes, and this hour samples', async () => {
  const quarters = (await means('quarter_means', machine)).find(({ at }) => at === threeDaysAgo)
  expect([quarters?.cpu.length, quarters?.cpu[0], quarters?.rx[0], quarters?.cpu[1]]).toEqual([96, 15, 100, null])
  const hours = (await means('hour_means', machine)).find(({ at }) => at === threeDaysAgo)
  expect([hours?.cpu.length, hours?.cpu[0]]).toEqual([24, 15])
  expect((await means('hour_means', host))[0]).toMatchObject({ at: threeDaysAgo })
  expect((await means('hour_means', host))[0]?.load1[1]).toBe(1.5)
  const minutes = (await means('minute_means', machine)).at(-1)
  expect([minutes?.at, minutes?.cpu.length, minutes?.cpu[30]]).toEqual([thisHour - hour, 60, 30])
  expect(await db.query(`select source_id, cpu_usage, rx_rate from samples`)).toEqual([
    { source_id: machine, cpu_usage: [40], rx_rate: [1] },
  ])
})

test('what a process of the version before writes is read by the new one', async () => {
  await sample(thisHour + minute, 50, 0)
  await db.query(
    `insert into host_samples (host_id, at, cpu_usage, load1) values ('${host}', '${iso(thisHour)}', 7, 2)`,
  )
  expect(
    await db.query(
      `select source_id, subject_ids, cpu_usage, load1 from samples where at > '${iso(thisHour)}' or source_id = '${host}' order by 1`,
    ),
  ).toEqual([
    { source_id: host, subject_ids: [host], cpu_usage: [7], load1: 2 },
    { source_id: machine, subject_ids: [machine], cpu_usage: [50], load1: null },
  ])
})
