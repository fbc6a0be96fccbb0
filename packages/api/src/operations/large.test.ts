import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findWork } from '../fulfilment/find-work.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { plansOf } from '../testing/plans.js'
import { addHost, openShop } from '../testing/shop.js'

/** A tenth of what the product must bear; `LARGE=10` is all: 1,000,000 orders, 100,000 servers. */
const scale = Number(process.env['LARGE'] ?? 1)
const [orders, servers] = [100_000 * scale, 10_000 * scale]

let app: TestApp
let admin: Person
let hostId: string
let hostToken: string
beforeAll(async () => {
  app = await startApp()
  const shop = await openShop(app)
  admin = await person(app, 'boss', { admin: true })
  const host = await addHost(app, shop, { servers: 1 })
  const secretId = uuidv7()
  const client = await app.ownerPool.connect()
  try {
    // As years of trade leave them, without triggers and foreign keys.
    await client.query(`set session_replication_role = replica`)
    await client.query(`insert into machine_secrets values ($1, 'v1.x', now())`, [secretId])
    await client.query(
      `insert into users (id, username, email, password_hash, created_at, updated_at)
       select gen_random_uuid(), 'user_' || n, 'user_' || n || '@example.com', 'x', now() - make_interval(hours => n), now() from generate_series(1, $1::int) n`,
      [orders / 5],
    )
    await client.query(`create temp table buyers as select id, row_number() over () - 1 as position from users`)
    await client.query(
      `insert into orders (id, number, user_id, price_group_id, status, amount_fen, period, auto_renewal, cpu_cores, memory_gb, storage_gb,
         bandwidth_mbps, ip_count, image_id, os_name, os_version, ssh_port, initial_secret_id, created_at, updated_at, ended_at, purchase_id)
       select gen_random_uuid(), 'V' || n, b.id, $2, 'CANCELLED', 1, 'MONTHLY', true, 1, 1, 20, 1, 1, $3, 'Debian', '12', 22, $4,
         now() - make_interval(mins => n), now(), now() - make_interval(mins => n),
         case when n % 10 < 2 then md5((n / 10)::text)::uuid end from generate_series(1, $1::int) n join buyers b on b.position = n % (select count(*) from buyers)`,
      [orders, shop.priceGroupId, shop.imageId, secretId],
    )
    await client.query(
      `insert into servers (id, driver, group_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, created_at, updated_at)
       select gen_random_uuid(), 'kvm', $2, 'server-' || n, 1, 1, 20, 1, now() - make_interval(mins => n), now() from generate_series(1, $1::int) n`,
      [servers, shop.groupId],
    )
    const [natPoolId, openPoolId] = [uuidv7(), uuidv7()]
    await client.query(
      `insert into ip_pools (id, name, network, gateway, nat_address, nat_first_port, nat_ports, created_at) values
         ($1, 'nat', '10.66.0.0/24', '10.66.0.1', '203.0.113.7', 20000, 20, now()), ($2, 'open', '10.128.0.0/9', '10.128.0.1', null, null, null, now())`,
      [natPoolId, openPoolId],
    )
    await client.query(
      `with numbered as (select id, row_number() over () as n, gen_random_uuid() as placement_id from servers), placed as (
         insert into placements (id, host_id, server_id, generation, cpu_cores, memory_mb, disk_gb, state, created_at)
         select placement_id, gen_random_uuid(), id, 1, 1, 1024, 20, 'held', now() from numbered)
       insert into addresses (pool_id, address, placement_id, position)
       select case when n < 250 then $1::uuid else $2::uuid end,
         case when n < 250 then inet '10.66.0.1' + n else inet '10.128.0.0' + n end, placement_id, 0 from numbered`,
      [natPoolId, openPoolId],
    )
    await client.query(
      `insert into past_addresses (address, server_id, from_at, until_at)
       select a.address, p.server_id, p.created_at, now() from addresses a join placements p on p.id = a.placement_id`,
    )
    await client.query(
      `insert into jobs (id, server_id, host_id, kind, status, generation, payload, run_at, created_at, finished_at)
       select gen_random_uuid(), s.id, $1, 'restart', 'SUCCEEDED', 1, '{}', now(), s.created_at, now() from servers s`,
      [host.id],
    )
    // An entry per order, of as many wallets: the chain is not the subject.
    await client.query(
      `insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, created_at)
       select gen_random_uuid(), o.user_id, 1, gen_random_uuid(), o.number, 'RECHARGE', o.number, 0, 1, 1, 'x',
         now() - (now() - o.created_at) * $1::float8 from orders o`,
      [10 / scale],
    )
    await client.query(
      `insert into payments (id, out_trade_no, user_id, trade_no, method, money_fen, note, device, status, created_at, completed_at, updated_at)
       select gen_random_uuid(), 'R' || lpad(o.number, 20, '0'), o.user_id, 'G' || o.number, 'alipay', 100, 'x', 'pc', 'SUCCESS', o.created_at,
         o.created_at, o.created_at from orders o`,
    )
    await client.query('select keep_metric_partitions()')
    await client.query(
      `insert into samples select h, date_trunc('hour', now()) + make_interval(secs => 10 * n), array[h], '{1}', '{1}', '{1}', '{1}', '{1}', 1
       from generate_series(1, 2160) n, (select $1::uuid union all select gen_random_uuid() from generate_series(1, 20)) h(h)`,
      [host.id],
    )
    await client.query(
      `insert into request_minutes (at, door, up_to_ms, requests) select date_trunc('minute', now()) - make_interval(mins => n), d, b, 1
       from generate_series(1, 11520) n, unnest(array['web', 'rest', 'agent']) d, unnest(array[5, 10, 20, 50]) b`,
    )
    hostId = host.id
    hostToken = host.token
    await client.query(
      `insert into audit_log (id, at, actor_id, actor_kind, action, subject_kind, subject_id)
       select gen_random_uuid(), o.created_at, o.user_id, 'user', 'order.place', 'order', o.id::text from orders o`,
    )
    await client.query(
      `insert into findings (id, host_id, kind, subject, first_seen_at, last_seen_at, resolved_at)
       select gen_random_uuid(), $1, 'stray-volume', s.id || '.0.1.qcow2', s.created_at, s.created_at, now() from servers s`,
      [host.id],
    )
    await client.query('vacuum analyze')
  } finally {
    await client.query(`set session_replication_role = origin`)
    client.release()
  }
}, 600_000)
afterAll(() => app.close())

test.each([
  '/orders/renewals-ahead',
  '/orders/all?size=20',
  '/orders/all?size=20&status=CANCELLED',
  '/orders/all?size=20&page=100',
  '/servers?size=20',
  '/users?size=20',
  '/jobs?size=20',
  '/jobs?size=20&status=FAILED',
  '/jobs?size=20&hostId={host}',
  '/jobs?size=20&from=2020-01-01&to=2020-01-02',
  '/audit?size=20',
  '/refunds?size=20',
  '/findings?size=20',
  '/findings?size=20&open=false',
  '/findings?size=20&open=false&from=2020-01-01&to=2020-01-02',
  '/findings?size=20&hostId={host}',
  '/findings?size=20&open=false&hostId={host}',
  '/orders/all?size=20&search=V5000',
  '/orders/all?size=20&search=nothing',
  '/orders/all?size=20&search=10.9',
  '/orders/all?size=20&search=203.0.113.7:20022',
  '/payment/all?size=20',
  '/payment/all?size=20&page=100',
  '/payment/all?size=20&status=PENDING',
  '/payment/all?size=20&type=usdt',
  '/payment/all?size=20&from=2020-01-01&to=2020-01-02',
  '/payment/all?size=20&search=V5000',
  '/payment/all?size=20&search=nothing',
  '/payment/all?size=20&search=user_500',
  '/payment/all?size=20&search=user_500&status=PENDING',
  '/servers?size=20&search=server-500',
  '/servers?size=20&search=nothing',
  '/servers?size=20&search=203.0.113.7',
  '/servers?size=20&search=203.0.113.7:20022',
  '/users?size=20&search=user_500',
  '/users?size=20&search=nothing',
  '/users/{user}/transactions?size=20',
  '/audit?size=20&action=order',
  '/audit?size=20&action=nothing',
  '/audit?size=20&actor=boss',
  '/audit?size=20&userId={user}',
  '/audit?size=20&subjectKind=host&subjectId={host}',
  '/audit?size=20&from=2020-01-01&to=2020-01-02',
  '/orders/all?size=20&userId={user}',
  '/payment/all?size=20&userId={user}',
  '/servers?size=20&userId={user}',
  '/servers?size=20&hostId={host}',
  '/servers?size=20&hostId={host}&search=server-500',
  '/users/{user}',
  '/users/{user}/notes?size=20',
  '/hosts?size=20',
  '/search?text=user_500',
  '/search?text=V5000',
  '/search?text=server-500',
  '/search?text=10.9',
  '/search?text=203.0.113.7',
  '/search?text=203.0.113.7:20022',
  '/search?text=nothing',
  '/overview',
  '/overview/months',
  '/waiting',
  '/latency?range=day',
  '/hosts/{host}/load?range=month',
  '/hosts/{host}',
  '/hosts/{host}/growth',
  '/hosts/{host}/migrations',
  '/hosts/{host}/addresses?size=20',
  '/address-history?text=203.0.113.7',
  '/address-history?text=203.0.113.7:20022',
  '/address-history?text=10.128.4.1',
  '/address-history?text=2001:db8::1',
])('with a shop of years, GET %s reads no large table as a whole', async (path) => {
  const plans = await plansOf(app, async () =>
    expect((await admin.get(path.replace('{host}', hostId).replace('{user}', admin.user.id))).status).toBe(200),
  )
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) expect([...wholeScans(plan), ...wastedReads(plan)]).toEqual([])
})

test('with a shop of years, what is paid together is found and locked by index', async () => {
  const plans = await plansOf(app, async () => expect((await admin.post(`/orders/${uuidv7()}/pay`)).status).toBe(404))
  expect(plans.filter((plan) => plan.includes('LockRows'))).toHaveLength(1)
  for (const plan of plans) expect([...wholeScans(plan), ...wastedReads(plan)]).toEqual([])
})

test("with a shop of years, a host's agent finds its next job in the queue, not among all it ever had, by a plan that is made once", async () => {
  const asked = { instanceId: randomUUID(), freeLanes: 1, running: [] }
  const plans = await plansOf(app, async () => expect((await findWork(app.db, hostToken, asked))?.due).toBeNull())
  expect(plans).toHaveLength(1)
  expect(plans[0]).toContain('jobs_queue_idx')
  expect(plans[0]).not.toContain('jobs_host_idx')
  expect(plans[0]).toMatch(/token_hash = \$\d/) // not planned for these values
})

/** Read much more than they gave: walking all of an index is no better than a scan. */
function wastedReads(plan: string): string[] {
  return plan
    .split('\n')
    .filter((line) => Number(/Rows Removed by (?:Filter|Join Filter): (\d+)/.exec(line)?.[1] ?? 0) > 10_000)
}

/**
 * Reads of a whole large table. Under a Limit, a scan without order or filter ends with the first rows: counting up to
 * 10,000 may.
 */
function wholeScans(plan: string): string[] {
  const lines = plan.split('\n')
  return lines.filter((line, index) => {
    // No list counts them: scanned for a join.
    if (/Seq Scan on (addresses|past_addresses|placements)\b/.test(line)) return true
    if (
      !/Seq Scan on (orders|payments|servers|users|jobs|audit_log|ledger_entries|samples_\d+|request_minutes|findings)\b/.test(
        line,
      )
    )
      return false
    const filtered = /Filter:/.test(lines[index + 1] ?? '')
    return filtered || !lines.slice(0, index).some((above) => /Limit/.test(above))
  })
}
