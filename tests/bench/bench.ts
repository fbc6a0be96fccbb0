/**
 * `npm run bench`: what the product costs above the floor of what it stands on, as ratios, each floor measured in the
 * same run on the same machine. Absolute numbers depend on the machine and are printed beside, for orientation only.
 */
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { build } from '../../packages/api/src/build.js'
import { readConfig } from '../../packages/api/src/config.js'
import { migrate } from '../../packages/api/src/db/migrate.js'
import { seedDemo } from '../../packages/demo/src/seed.js'
import { closeDeps, openDeps, type Deps } from '../../packages/api/src/deps.js'
import { startPostgres } from '../../scripts/postgres.js'

const seconds = 5
const clients = 16
const pays = 300

type Measured = { what: string; floor: string; ratio: number; detail: string }

async function main(): Promise<void> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-bench-'))
  const postgres = await startPostgres({ dir, throwAway: true })
  try {
    await migrate({ databaseUrl: postgres.applicationUrl, databaseOwnerUrl: postgres.url })
    const env = {
      DATABASE_URL: postgres.applicationUrl,
      APP_SECRET: 'a secret only for benchmarks',
      LOG_LEVEL: 'silent',
      DEMO: '1',
    }
    const deps = await openDeps(readConfig(env))
    const app = await build(deps)
    await seedDemo(deps, { enrolmentToken: null, seedFile: null })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const rows = [...(await reads(url)), await paying(deps, url, postgres.url)]
    await app.close()
    await closeDeps(deps)
    print(rows)
  } finally {
    await postgres.stop()
  }
}

/** Requests per second of lists, against the same server answering nothing. */
async function reads(url: string): Promise<Measured[]> {
  const token = await signIn(url)
  const rate = async (address: string) => {
    const result = await autocannon({
      url: url + address,
      connections: clients,
      duration: seconds,
      headers: { authorization: `Bearer ${token}` },
    })
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${address}: ${result.non2xx} refusals, ${result.errors} errors`)
    return result.requests.average
  }
  const floor = await rate('/healthz')
  const rows: Measured[] = []
  for (const address of ['/api/price-groups/active', '/api/wallet', '/api/orders', '/api/transactions/page']) {
    const got = await rate(address)
    rows.push({
      what: `GET ${address}`,
      floor: 'GET /healthz',
      ratio: floor / got,
      detail: `${got.toFixed(0)} against ${floor.toFixed(0)} a second`,
    })
  }
  return rows
}

/**
 * Paid orders per second (money, place, address and job in one transaction), against bare transactions of the same
 * width.
 */
async function paying(deps: Deps, url: string, ownerUrl: string): Promise<Measured> {
  const token = await signIn(url)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = async (address: string, body?: object) => {
    const reply = await fetch(url + address, {
      method: 'POST',
      headers,
      ...(body ? { body: JSON.stringify(body) } : { body: '{}' }),
    })
    if (!reply.ok) throw new Error(`${address}: ${await reply.text()}`)
    return (await reply.json()) as { data: { id: string } }
  }
  const { rows } = await deps.pools.commands.query<{ id: string }>(`select id from users where username = 'demo'`)
  const group = await deps.pools.commands.query<{ id: string }>(`select id from price_groups where name = '香港入门型'`)
  await deps.pools.commands.query(`update hosts set status = 'READY', images = array['debian-12.qcow2']`)
  await deps.pools.commands.query(`update host_heartbeats set last_seen_at = clock_timestamp() + interval '1 hour'`)
  await topUp(deps, rows[0]!.id)
  const wanted = {
    priceGroupId: group.rows[0]!.id,
    billingPeriod: 'HOURLY',
    cpuCores: 1,
    memoryGb: 1,
    storageGb: 20,
    bandwidthMbps: 5,
    ipCount: 1,
    osName: 'Debian',
    osVersion: '12',
  }
  const began = performance.now()
  for (let n = 0; n < pays / 30; n++) {
    const orders = await Promise.all(Array.from({ length: 30 }, () => call('/api/orders', wanted)))
    await Promise.all(orders.map((order) => call(`/api/orders/${order.data.id}/pay`)))
  }
  const perSecond = pays / ((performance.now() - began) / 1000)
  const floor = await bareTransactions(ownerUrl)
  return {
    what: 'place and pay an order',
    floor: 'ten inserts in a transaction',
    ratio: floor / perSecond,
    detail: `${perSecond.toFixed(0)} against ${floor.toFixed(0)} a second`,
  }
}

async function topUp(deps: Deps, userId: string): Promise<void> {
  const { inTx } = await import('../../packages/api/src/db/tx.js')
  const { postEntry } = await import('../../packages/api/src/wallet/post-entry.js')
  const { fen } = await import('../../packages/shared/src/money.js')
  await inTx(deps.db, (tx) =>
    postEntry(
      tx,
      { userId, type: 'ADJUSTMENT', amount: fen(100_000), reference: 'bench', description: 'bench' },
      new Date(),
    ),
  )
}

async function bareTransactions(connectionString: string): Promise<number> {
  const pool = new pg.Pool({ connectionString, max: 10 })
  await pool.query('create table bench_floor (id bigserial primary key, body text)')
  const one = async () => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      for (let n = 0; n < 10; n++) await client.query(`insert into bench_floor (body) values ('x')`)
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const began = performance.now()
  for (let n = 0; n < pays / 30; n++) await Promise.all(Array.from({ length: 30 }, one))
  const rate = pays / ((performance.now() - began) / 1000)
  await pool.end()
  return rate
}

async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ username: 'demo', password: 'Demo-user-1' })
  const reply = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return ((await reply.json()) as { token: string }).token
}

function print(rows: Measured[]): void {
  console.log('\ntimes the cost of its floor (1.0 would be free)\n')
  for (const row of rows)
    console.log(`${row.ratio.toFixed(1).padStart(7)}  ${row.what}  /  ${row.floor}   (${row.detail})`)
  console.log(`\n${os.cpus().length} cores, ${clients} clients, Node ${process.version}`)
}

await main()
