import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost } from '../testing/shop.js'
import { sweep } from './sweep.js'

let sale: Sale
beforeEach(async () => {
  sale = await openSale()
})
afterEach(async () => {
  delete sale.app.deps.health.reachableSince
  await sale.app.close()
})

/** As long as nobody could tell anything. */
async function away(minutes: number): Promise<void> {
  const { db, advance } = sale.app
  const since = sql<Date>`clock_timestamp() - make_interval(mins => ${minutes})`
  await db.updateTable('jobs').set({ lease_until: since }).where('status', '=', 'RUNNING').execute()
  await db.updateTable('host_heartbeats').set({ last_seen_at: since }).where('host_id', '=', sale.host.id).execute()
  advance(minutes * 60_000)
}
const backSince = (ms: number) => void (sale.app.deps.health.reachableSince = performance.now() - ms)

test.each([3, 31])(
  'what an agent did while the shop was away for %i minutes counts: it is waited for until every agent could tell',
  async (minutes) => {
    const id = await sale.buy()
    const job = (await sale.agent.claim())!
    await addHost(sale.app, sale.shop, { network: '10.9.1' })
    await away(minutes)
    backSince(0)
    await sweep(sale.app.deps)
    await sweep(sale.app.deps)
    expect((await sale.agent.finish(job)).accepted).toBe(true)
    expect((await sale.order(id)).status).toBe('ACTIVE')
  },
)

test('one that is still silent then is given up', async () => {
  await sale.buy()
  const job = (await sale.agent.claim())!
  const other = await addHost(sale.app, sale.shop, { network: '10.9.1' })
  await away(3)
  backSince(31_000)
  await sweep(sale.app.deps)
  await sweep(sale.app.deps)
  expect((await sale.agent.finish(job)).accepted).toBe(false)
  const place = await sale.app.db.selectFrom('placements').select('host_id').where('state', '=', 'held').execute()
  expect(place).toEqual([{ host_id: other.id }])
})

test('who is second to another act of a server looks again, and is told as a fault only where that stays so', async () => {
  const { app, buyActive, order } = sale
  const id = await buyActive({ autoRenewal: false })
  await app.db
    .updateTable('orders')
    .set({ expires_at: new Date(app.deps.now().getTime() - 1_000) })
    .where('id', '=', id)
    .execute()
  await sql`create function second() returns trigger language plpgsql as
    'begin raise unique_violation using constraint = ''jobs_queued_key''; end'`.execute(app.owner)
  await sql`create trigger second before insert on jobs execute function second()`.execute(app.owner)
  const faults: number[] = []
  for (const _ of [1, 2, 3]) {
    await sweep(app.deps)
    faults.push(app.logged().split('a timer could not finish a row').length - 1)
    app.advance(60_000)
  }
  expect([faults, (await order(id)).status]).toEqual([[0, 0, 1], 'ACTIVE'])
  await sql`drop function second cascade`.execute(app.owner)
  await sweep(app.deps)
  expect((await order(id)).status).toBe('SUSPENDED')
})

test('a host that is declared lost while a renewal waits for its owner’s wallet is no fault of the timer, and nothing is charged', async () => {
  const { app, buyActive, host, lin, orderRow, toEnd } = sale
  const id = await buyActive()
  const balance = await lin.balance()
  await toEnd(id, 1_000)
  const wallet = sql`select from wallets where user_id = ${lin.user.id} for update`
  let sweeping = Promise.resolve()
  await whileLocked(app.owner, wallet, async () => {
    sweeping = sweep(app.deps)
    await expect.poll(() => lockWaits(app.db)).toBe(1)
    await app.db.updateTable('hosts').set({ status: 'LOST' }).where('id', '=', host.id).execute()
  })
  await sweeping
  expect([(await orderRow(id)).status, await lin.balance()]).toEqual(['ACTIVE', balance])
  expect(app.logged()).not.toContain('a timer could not finish a row')
  await app.db.updateTable('hosts').set({ status: 'READY' }).where('id', '=', host.id).execute()
  app.advance(60_000)
  await sweep(app.deps)
  expect(await lin.balance()).toBe(balance - 30)
})
