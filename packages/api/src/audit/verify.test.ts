import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import { startApp, type TestApp } from '../testing/app.js'
import { forge } from '../testing/database.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addReached, openSale } from '../testing/sale.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'
import { checks } from './checks.js'
import { verifyBooks } from './verify.js'

let app: TestApp
let shop: Shop
let lin: Person
let ids: { active: string; paid: string; cancelled: string; upgraded: string; refunded: string }

beforeAll(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 1000 })
  const admin = await person(app, 'boss', { admin: true })
  const agent = hostAgent(app, (await addHost(app, shop, { servers: 20 })).token)
  const buy = async () => {
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    return body.data.id as string
  }
  const active = await buy()
  await agent.serve()
  await lin.post(`/orders/${active}/renew`)
  const upgraded = await buy()
  await agent.serve()
  await lin.post(`/orders/${upgraded}/upgrade`, { cpuCores: 4 })
  await agent.serve({ ok: false, final: true })
  await sweep(app.deps)
  await agent.serve() // brought back to the size of its order
  const refunded = await buy()
  await agent.serve()
  await lin.post(`/orders/${refunded}/refund`, { reason: '不再需要' })
  const request = await app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
  await admin.post(`/refunds/${request.id}/approve`, { reason: '同意' })
  const cancelled = await buy()
  await lin.put(`/orders/${cancelled}/cancel`)
  ids = { active, paid: await buy(), cancelled, upgraded, refunded }
})
afterAll(() => app.close())

const told = async () => (await verifyBooks(app.db, app.deps.now())).filter((verdict) => verdict.faults.length > 0)

/** Plants a fault past constraints and triggers, looks, and takes it back. */
async function planted(...statements: string[]): Promise<Record<string, string[]>> {
  const undo = new Error('taken back')
  let found: Record<string, string[]> = {}
  await forge(app.owner, async (tx) => {
    await sql`alter table ledger_entries drop constraint ledger_entries_type_reference_unique,
      drop constraint ledger_entries_continue_balance`.execute(tx)
    await sql`alter table hosts drop constraint hosts_capacity_cpu`.execute(tx)
    await sql`alter table addresses drop constraint addresses_pkey`.execute(tx)
    for (const statement of statements) {
      const { numAffectedRows } = await sql.raw(statement).execute(tx)
      expect(numAffectedRows, statement).toBeGreaterThan(0)
    }
    for (const check of checks) {
      const moment = `'${app.deps.now().toISOString()}'`
      const { rows } = await sql.raw<{ fault: string }>(check.sql.replace('$1', moment)).execute(tx)
      if (rows.length > 0) found = { ...found, [check.name]: rows.map((row) => row.fault) }
    }
    throw undo
  }).catch((error: unknown) => {
    if (error !== undo) throw error
  })
  return found
}

test('nothing is wrong after buying, renewing, upgrading in vain, refunding and cancelling', async () => {
  expect(await told()).toEqual([])
})

const serverOf = (id: string) => `(select server_id from orders where id = '${id}')`
const copyEntry = (where: string, change: string) =>
  `insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, order_id, payment_id, created_at)
   select wallet_id, user_id, seq + 1000, gen_random_uuid(), number || 'x', type, ${change}, before_fen, amount_fen, after_fen, description, order_id, payment_id, created_at
   from ledger_entries where ${where}`

const faults: [string, string, () => string[]][] = [
  [
    'every wallet equals its ledger',
    'a balance of its own',
    () => ['update wallets set balance_fen = balance_fen + 1 where last_seq > 0'],
  ],
  [
    'every ledger is an unbroken chain',
    'an entry that was changed',
    () => ['update ledger_entries set amount_fen = amount_fen + 1, after_fen = after_fen + 1 where seq = 2'],
  ],
  [
    'every ledger is an unbroken chain',
    'an entry that was removed',
    () => ['delete from ledger_entries where seq = 3'],
  ],
  [
    'every successful payment is credited exactly once, and no other',
    'a payment that was never credited',
    () => [
      `insert into payments (id, out_trade_no, user_id, method, money_fen, note, device, status, created_at, completed_at, updated_at)
       select gen_random_uuid(), 'P000000000000000000', id, 'alipay', 500, '充值', 'pc', 'SUCCESS', now(), now(), now() from users limit 1`,
    ],
  ],
  [
    'every charge belongs to a paid period',
    'a renewal that was charged twice',
    () => [copyEntry(`order_id = '${ids.active}' and reference like '%renew%'`, `reference || 'again'`)],
  ],
  [
    'every charge belongs to a paid period',
    'a period that nobody paid',
    () => [
      `insert into order_periods select order_id, 9, ends_at, ends_at + interval '1 day', 100 from order_periods
       where order_id = '${ids.active}' and seq = 2`,
    ],
  ],
  [
    'every upgrade is charged once, and given back once where it did not happen',
    'an upgrade in vain whose charge was kept',
    () => [`delete from ledger_entries where type = 'REFUND' and reference like 'upgrade:%'`],
  ],
  [
    'what did not come up was refunded in full, once',
    'a cancelled order without its money back',
    () => [`delete from ledger_entries where type = 'REFUND' and order_id = '${ids.cancelled}'`],
  ],
  [
    'nothing else is refunded but what an administrator approved',
    'a refund of a running order',
    () => [copyEntry(`type = 'REFUND' and order_id = '${ids.cancelled}'`, `reference || 'x'`)],
  ],
  [
    'nothing else is refunded but what an administrator approved',
    'an approval without money',
    () => [`delete from ledger_entries where type = 'REFUND' and order_id = '${ids.refunded}'`],
  ],
  [
    'every evacuation gives back the time without a server, once',
    'an evacuation whose money never came',
    () => [
      `insert into evacuations (job_id, order_id, from_at, until_at, credited_fen)
        select id, order_id, created_at, created_at, 100 from jobs where order_id = '${ids.paid}' limit 1`,
    ],
  ],
  [
    'every evacuation gives back the time without a server, once',
    'money that came back for an evacuation that never was',
    () => [copyEntry(`type = 'REFUND' and order_id = '${ids.cancelled}'`, `'evacuation:' || id`)],
  ],
  [
    'no order gives back more than it took',
    'a refund that came twice',
    () => [copyEntry(`type = 'REFUND' and order_id = '${ids.cancelled}'`, 'reference')],
  ],
  [
    'every paid order is being set up',
    'a paid order whose job is gone',
    () => [`update jobs set status = 'FAILED', finished_at = now() where order_id = '${ids.paid}'`],
  ],
  [
    'every running order has its server in its place',
    'a running order whose place was given away',
    () => [`update placements set state = 'releasing' where server_id = ${serverOf(ids.active)}`],
  ],
  [
    'every order has its server for as long as it lives',
    'a running order whose tenancy was ended',
    () => [`update tenancies set until_at = from_at where order_id = '${ids.active}'`],
  ],
  [
    'no ended order keeps a place',
    'an expired order that still holds one',
    () => [`update orders set status = 'EXPIRED', ended_at = now() where id = '${ids.active}'`],
  ],
  [
    'every place has the size of its order',
    'a place that grew alone',
    () => [`update placements set cpu_cores = 7 where server_id = ${serverOf(ids.active)}`],
  ],
  [
    'every place has the size of its order',
    'a disk that no upgrade has left',
    () => [`update placements set disk_gb = 70 where server_id = ${serverOf(ids.upgraded)}`],
  ],
  [
    'periods follow each other and end when their order does',
    'periods that overlap',
    () => [`update order_periods set starts_at = starts_at - interval '1 h' where seq = 2`],
  ],
  [
    'periods follow each other and end when their order does',
    'an order that lasts longer than was paid',
    () => [`update orders set expires_at = expires_at + interval '1 day' where id = '${ids.active}'`],
  ],
  [
    'no address is used twice',
    'two servers with one address',
    () => [
      `insert into addresses (pool_id, address, placement_id, position) select pool_id, address, placement_id, 5 from addresses
       where placement_id is not null limit 1`,
    ],
  ],
  [
    'addresses belong to places that are in use, as many as were ordered',
    'an address of a place that was given up',
    () => [`update placements set state = 'freed' where state = 'releasing'`],
  ],
  [
    'addresses belong to places that are in use, as many as were ordered',
    'a server without its address',
    () => [
      `update addresses set placement_id = null where placement_id = (select id from placements where state = 'held' limit 1)`,
    ],
  ],
  [
    'a server has a second place for as long as it migrates',
    'a second place of a server that stays',
    () => [
      `update placements set state = 'standby' where id = (select id from placements where state = 'releasing' limit 1)`,
    ],
  ],
  [
    'a server has a second place for as long as it migrates',
    'a migration of a server that has been let go',
    () => [
      `insert into cold_migrations (id, server_id, from_host_id, to_host_id, from_id, to_id, stage, job_id, asked_by, created_at)
        select gen_random_uuid(), p.server_id, p.host_id, p.host_id, p.id, (select id from placements where id <> p.id limit 1), 'SAVING',
          (select id from jobs where server_id = p.server_id limit 1), (select id from users limit 1), now()
        from placements p where state = 'releasing' limit 1`,
    ],
  ],
  ['no host is over its capacity', 'a host that shrank', () => ['update hosts set cpu_cores = 1, cpu_overcommit = 1']],
  [
    'what a place counts for snapshots is what its rows may take',
    'room counted for a snapshot that nobody has',
    () => [`update placements set snapshot_gb = 5 where state = 'held'`],
  ],
  [
    'what a host counts as used is what its places take',
    'a counter that drifted',
    () => ['update hosts set used_cpu = used_cpu - 1'],
  ],
  [
    'no job is open for a place that was given up',
    'a set-up that waits for a place that is gone',
    () => [`update placements set state = 'releasing' where server_id = ${serverOf(ids.paid)}`],
  ],
  [
    'no job is open for a place that was given up',
    'a clean-up of a place that was shown unused',
    () => [
      `update placements set state = 'freed', freed_at = now(), destroyed_at = now() where server_id = ${serverOf(ids.paid)}`,
      `update jobs set kind = 'destroy', payload = '{"kind":"destroy"}' where server_id = ${serverOf(ids.paid)}`,
    ],
  ],
  [
    'everything that was due is done',
    'an order that nobody renewed',
    () => [`update orders set expires_at = expires_at - interval '90 day' where id = '${ids.active}'`],
  ],
  [
    'no order was ended before its time, by the database’s clock',
    'a process whose clock was days ahead',
    () => [
      `update orders set status = 'EXPIRED', ended_at = expires_at + interval '80 h' where id = '${ids.active}'`,
      `insert into audit_log (id, at, actor_kind, action, subject_kind, subject_id)
        select gen_random_uuid(), expires_at + interval '80 h', 'timer', 'order.expire', 'order', id::text from orders where id = '${ids.active}'`,
    ],
  ],
  [
    'no server was wiped before its order’s grace time was over',
    'a disk that is gone while its data were promised',
    () => [
      `update orders set status = 'EXPIRED', ended_at = expires_at + interval '80 h' where id = '${ids.active}'`,
      `update placements set state = 'releasing', destroyed_at = clock_timestamp() where server_id = ${serverOf(ids.active)}`,
    ],
  ],
]

describe('a fault is found by the check that is named for it:', () => {
  test.each(faults)('%s: %s', async (name, _what, statements) => {
    const found = await planted(...statements())
    expect(Object.keys(found)).toContain(name)
    expect(found[name]![0]).toMatch(/\S{3,} .+/)
  })

  test('every check has a fault that it finds', () => {
    expect(new Set(faults.map(([name]) => name))).toEqual(new Set(checks.map((check) => check.name)))
  })
})

test('a server whose first host went away before its set-up may get more addresses: the place there has those it had', async () => {
  const sale = await openSale()
  try {
    const id = await sale.buy()
    const elsewhere = hostAgent(sale.app, (await addHost(sale.app, sale.shop, { network: '10.9.1' })).token)
    sale.app.advance(3 * 60_000)
    await sweep(sale.app.deps)
    await elsewhere.serve()
    expect((await sale.lin.post(`/orders/${id}/upgrade`, { ipCount: 2 })).status).toBe(200)
    const admitted = (
      await sale.app.db.selectFrom('addresses').select('address').where('upgrade_id', 'is not', null).execute()
    ).map(({ address }) => address)
    await elsewhere.serve({ admitted })
    expect((await sale.order(id)).ipCount).toBe(2)
    const verdicts = await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')
    expect(verdicts.filter(({ faults }) => faults.length > 0)).toEqual([])
  } finally {
    await sale.app.close()
  }
})

test('dedicated servers behind one address, each at its port, are no fault; one at a machine’s address is', async () => {
  const sale = await openSale()
  try {
    await sale.buy()
    await addReached(sale, { port: 2201 })
    await addReached(sale, { port: 2202 })
    const faults = async () =>
      (await verifyBooks(sale.app.db, sale.app.deps.now())).flatMap((verdict) => verdict.faults)
    expect(await faults()).toEqual([])
    await sql`update addresses set address = '203.0.113.9' where placement_id is not null`.execute(sale.app.owner)
    expect(await faults()).toEqual(['address 203.0.113.9 is used 2 times'])
  } finally {
    await sale.app.close()
  }
})
