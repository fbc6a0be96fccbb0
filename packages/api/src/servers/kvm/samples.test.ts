import type { DomainReport } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../../db/tx.js'
import { hostAgent } from '../../testing/host.js'
import { everyRow } from '../../testing/rows.js'
import { openSale, type Sale } from '../../testing/sale.js'
import { addHost } from '../../testing/shop.js'
import { lockWaits, whileLocked } from '../../testing/locks.js'
import { deletePower } from './samples.js'

let sale: Sale
let serverId: string
beforeEach(async () => {
  sale = await openSale()
  serverId = await sale.serverOf(await sale.buyActive())
})
afterEach(() => sale.app.close())

const line = (more: Partial<DomainReport> = {}): DomainReport => ({
  serverId,
  power: 'on',
  condition: null,
  cpuUsage: 12.5,
  memoryUsage: 50,
  diskUsage: 10,
  uptimeSeconds: 100,
  rxBytes: 1000,
  txBytes: 10,
  ...more,
})
const tell = (...domains: DomainReport[]) =>
  sale.agent.caller.report({
    ...sale.agent.me,
    at: new Date().toISOString(),
    host: { cpuUsage: 1, memoryUsage: 1, diskUsage: 1, load1: 1 },
    domains,
  })
const traffic = async () => {
  const rows = await sale.app.db
    .selectFrom('traffic_months as t')
    .innerJoin('server_metrics as l', 'l.server_id', 't.server_id')
    .select(['t.rx_bytes', 't.tx_bytes', 'l.rx_uncounted', 'l.tx_uncounted'])
    .execute()
  return rows.map((row) => [row.rx_bytes + row.rx_uncounted, row.tx_bytes + row.tx_uncounted])
}
/** As if the last report had come in the minute before. */
const nextMinute = () =>
  sale.app.db
    .updateTable('server_metrics')
    .set({ at: sql<Date>`date_trunc('minute', clock_timestamp()) - interval '1 second'` })
    .execute()
const power = async () =>
  (await sale.app.db.selectFrom('servers').select('power').where('id', '=', serverId).executeTakeFirstOrThrow()).power
const samples = async () =>
  (await sale.app.db.selectFrom('samples').selectAll().orderBy('at').execute()).flatMap((row) =>
    row.subject_ids.flatMap((id, n) => (id === serverId ? [{ at: row.at, cpu_usage: row.cpu_usage[n] }] : [])),
  )

describe('the traffic of a month', () => {
  test('is what each report has more than the one before', async () => {
    for (const [rxBytes, txBytes] of [
      [1000, 10],
      [1500, 10],
      [1500, 30],
    ] as const)
      await tell(line({ rxBytes, txBytes }))
    expect(await traffic()).toEqual([[1500, 30]])
  })

  test('goes on where a restart set the counters back: all of the new ones counts', async () => {
    await tell(line({ rxBytes: 1000, txBytes: 1000 }))
    await tell(line({ rxBytes: 400, txBytes: 1200 }))
    expect(await traffic()).toEqual([[1400, 1200]])
    await tell(line({ rxBytes: 0, txBytes: 0 }))
    expect(await traffic()).toEqual([[1400, 1200]])
  })

  test('does not move for a report that cannot tell it', async () => {
    await tell(line())
    await tell(line({ rxBytes: null, txBytes: 5 }))
    expect(await traffic()).toEqual([[1000, 10]])
  })

  test('does not count twice what was there before a report that could not tell it', async () => {
    await tell(line({ rxBytes: 1000, txBytes: 10 }))
    await tell(line({ rxBytes: null, txBytes: null }))
    await tell(line({ rxBytes: 1100, txBytes: 20 }))
    expect(await traffic()).toEqual([[1100, 20]])
  })

  test('counts a domain’s from nothing after it was off', async () => {
    await tell(line({ rxBytes: 1000, txBytes: 10 }))
    await tell(line({ power: 'off', rxBytes: null, txBytes: null }))
    await tell(line({ rxBytes: 1100, txBytes: 20 }))
    expect(await traffic()).toEqual([[2100, 30]])
  })

  test('is written once a minute, with nothing lost in between', async () => {
    const month = () => sale.app.db.selectFrom('traffic_months').select(['rx_bytes', 'tx_bytes']).execute()
    await tell(line({ rxBytes: 1000, txBytes: 10 }))
    await nextMinute()
    await tell(line({ rxBytes: 1500, txBytes: 10 }))
    expect(await month()).toEqual([{ rx_bytes: 1500, tx_bytes: 10 }])
    await tell(line({ rxBytes: 1700, txBytes: 10 }))
    await tell(line({ rxBytes: 5, txBytes: 10 }))
    await nextMinute()
    await tell(line({ rxBytes: 6, txBytes: 10 }))
    expect(await month()).toEqual([{ rx_bytes: 1706, tx_bytes: 10 }])
  })

  test('is counted beyond what four bytes hold', async () => {
    await tell(line({ rxBytes: 5e12, txBytes: 2 ** 33 }))
    expect(await traffic()).toEqual([[5e12, 2 ** 33]])
  })
})

describe('a report', () => {
  test('sets the power that it saw, and leaves the moment of what did not change', async () => {
    const since = () => sale.app.db.selectFrom('servers').select('power_changed_at as at').executeTakeFirstOrThrow()
    const before = await since()
    await tell(line())
    expect(await since()).toEqual(before)
    await tell(line({ power: 'off' }))
    expect(await power()).toBe('off')
    expect((await since()).at!.getTime()).toBeGreaterThan(before.at!.getTime())
  })

  test('keeps a point in ten seconds, of machines that run alone', async () => {
    await tell(line({ power: 'off' }))
    expect(await samples()).toEqual([])
    await sql`delete from samples`.execute(sale.app.db)
    for (const cpuUsage of [10, 80, 90]) await tell(line({ cpuUsage }))
    const points = await samples()
    // Two where the reports lie on both sides of ten seconds.
    expect(points.length).toBeLessThanOrEqual(2)
    expect(points[0]).toMatchObject({ cpu_usage: 10 })
    const latest = await sale.app.db.selectFrom('server_metrics').selectAll().executeTakeFirstOrThrow()
    expect(latest).toMatchObject({ cpu_usage: 90, uptime_seconds: 100 })
  })

  test('with nothing known of a machine says so instead of the last figures', async () => {
    await tell(line())
    await tell(line({ cpuUsage: null, memoryUsage: null, diskUsage: null, uptimeSeconds: null }))
    expect(await sale.app.db.selectFrom('server_metrics').selectAll().executeTakeFirstOrThrow()).toMatchObject({
      cpu_usage: null,
      memory_usage: null,
      disk_usage: null,
      uptime_seconds: null,
    })
  })

  test('tells nothing of another host’s machines, of one that left, nor of none at all', async () => {
    const other = hostAgent(sale.app, (await addHost(sale.app, sale.shop, { network: '10.8.0' })).token)
    await other.report(serverId, 'off')
    await tell()
    expect([await power(), await samples(), await traffic()]).toEqual(['on', [], []])
    await sale.app.db.updateTable('placements').set({ state: 'releasing', releasing_at: new Date() }).execute()
    await tell(line({ power: 'off' }), line({ serverId: sale.lin.user.id, power: 'off' }))
    expect([await power(), await samples()]).toEqual(['on', []])
  })
})

test('a machine that is gone is unknown from then on, and only what was known of it changes', async () => {
  await inTx(sale.app.db, (tx) => deletePower(tx, []))
  expect(await power()).toBe('on')
  await inTx(sale.app.db, (tx) => deletePower(tx, [serverId]))
  expect(await power()).toBe('unknown')
  const before = await everyRow(sale.app)
  await inTx(sale.app.db, (tx) => deletePower(tx, [serverId]))
  expect(await everyRow(sale.app)).toBe(before)
})

test('an inventory that misses a machine waits for who has its server locked without holding the host', async () => {
  const { app, agent, host } = sale
  const asked: Promise<unknown>[] = []
  await whileLocked(app.owner, sql`select id from servers where id = ${serverId} for update`, async () => {
    asked.push(agent.inventory({}))
    await expect.poll(() => lockWaits(app.owner)).toBe(1)
    // As a snapshot goes on, with the server locked.
    const { rows } = await sql`select id from hosts where id = ${host.id} for update nowait`.execute(app.owner)
    expect(rows).toEqual([{ id: host.id }])
  })
  await Promise.all(asked)
  expect(await power()).toBe('unknown')
})
