import type { DomainReport } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTx, onCommit } from '../db/tx.js'
import type { Notification } from '../notifications/notification.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
let serverId: string
let heard: Notification[]
beforeEach(async () => {
  sale = await openSale()
  serverId = await sale.serverOf(await sale.buyActive())
  heard = []
  onCommit(sale.app.db, (notifications) => heard.push(...notifications))
})
afterEach(() => sale.app.close())

const tell = (change: Partial<DomainReport> = {}) => sale.agent.report(serverId, 'on', change)
/** Changes with every write of a row. */
const versions = async () => {
  const { rows } = await sql`
    select 'figures' as row, xmin::text from server_metrics union all select 'finding', xmin::text from findings
    union all select 'month', xmin::text from traffic_months union all select 'server', xmin::text from servers order by 1`.execute(
    sale.app.db,
  )
  return rows
}

test('a report that tells nothing new writes nothing but that the host was heard, and wakes nobody', async () => {
  await tell({ condition: 'paused' })
  await sql`insert into samples select source_id, date_trunc('minute', clock_timestamp()) + n * interval '10 seconds', subject_ids,
    cpu_usage, memory_usage, disk_usage, rx_rate, tx_rate from samples, generate_series(0, 11) n on conflict do nothing`.execute(
    sale.app.db,
  )
  await sql`update server_metrics set at = clock_timestamp() + interval '1 minute'`.execute(sale.app.db)
  const before = await versions()
  heard.length = 0
  await tell({ condition: 'paused' })
  expect(await versions()).toEqual(before)
  expect(heard).toEqual([])
})

test('what changed is told to those who see it', async () => {
  await tell()
  heard.length = 0
  await tell({ cpuUsage: 99 })
  expect(heard).toContainEqual({ user: sale.lin.user.id, what: 'monitoring', id: '' })
  await sale.agent.report(serverId, 'off', { condition: 'crashed' })
  expect(heard).toContainEqual({ user: sale.lin.user.id, what: 'server', id: serverId })
  expect(heard).toContainEqual({ shop: 'finding' })
})

test('a host that is heard again is told to operators', async () => {
  await tell()
  await sql`update host_heartbeats set last_seen_at = clock_timestamp() - interval '61 seconds'`.execute(sale.app.db)
  heard.length = 0
  await tell()
  expect(heard).toContainEqual({ shop: 'host' })
})

test('a report does not wait for a purchase that holds its host, nor a purchase for reports', async () => {
  await tell()
  await inTx(sale.app.db, async (tx) => {
    await tx.selectFrom('hosts').select('id').forUpdate().execute()
    await tell({ cpuUsage: 3 })
  })
  const { cpu_usage } = await sale.app.db.selectFrom('server_metrics').select('cpu_usage').executeTakeFirstOrThrow()
  expect(cpu_usage).toBe(3)
})

test('an inventory that finds everything as it was is told to nobody, one that finds something is', async () => {
  const image = { file: 'debian-12.qcow2', bytes: 1, sha256: 'a'.repeat(64) }
  await sale.agent.inventory({ images: [image] })
  heard.length = 0
  await sale.agent.inventory({ images: [image] })
  expect(heard).toEqual([])
  await sale.agent.inventory({ images: [] })
  expect(heard).toEqual(expect.arrayContaining([{ shop: 'host' }, { shop: 'image' }]))
})
