import { enough, shownDays, type ServiceKey } from '@vps/shared/status'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forge } from '../testing/database.js'
import { call } from '../testing/people.js'
import { statementsOf } from '../testing/plans.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addSeen } from './look.js'
import { createFigures } from './read-figures.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const figures = () => createFigures(sale.app.db, sale.app.deps.now())
const seen = (day: string, service: ServiceKey, lost = 0) => ({
  day,
  service,
  minutes: 1_000,
  disturbed_minutes: lost,
  lost_minutes: lost,
  disturbed: false,
})

const repeat = (orderId: string, { from, to }: { from: number; to: number }) =>
  forge(sale.app.owner, (tx) =>
    sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'server_id', gen_random_uuid(),
        'number', 'V' || n, 'paid_at', activated_at - interval '20 seconds'))).*
      from orders o, generate_series(${from}::int, ${to}::int) n where o.id = ${orderId}`.execute(tx),
  )

test('availability is said once a month was looked at, of all services and of ninety days alone', async () => {
  const now = sale.app.deps.now()
  const days = shownDays(now)
  const last = days.slice(1 - enough.days)
  await addSeen(
    sale.app.db,
    last.map((day) => seen(day, 'api')),
    now,
  )
  await addSeen(sale.app.db, [seen('2020-01-01', 'api', 1_000)], now)
  expect((await figures()).availability).toBeNull()
  await addSeen(sale.app.db, [seen(days.at(-enough.days) ?? '', 'payments', 300)], now)
  expect(await figures()).toMatchObject({ availability: 0.99, measuredDays: enough.days })
})

test('the time of a set-up is said once a twentieth of them is some', async () => {
  const id = await sale.buyActive()
  await repeat(id, { from: 2, to: enough.setUps - 1 })
  expect((await figures()).setUpSeconds).toBeNull()
  await repeat(id, { from: enough.setUps, to: enough.setUps })
  expect((await figures()).setUpSeconds).toEqual({ p50: 20, p95: 20 })
  sale.app.advance(31 * 86_400_000)
  expect((await figures()).setUpSeconds).toBeNull()
})

test('however many ask, the database is not', async () => {
  await call(sale.app, 'GET', '/status/figures')
  const statements = await statementsOf(sale.app, async () => {
    for (let n = 0; n < 5; n++) expect((await call(sale.app, 'GET', '/status/figures')).status).toBe(200)
  })
  expect(statements).toEqual([])
})
