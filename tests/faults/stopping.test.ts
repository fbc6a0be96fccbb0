/** Each caller is answered, or told soon to ask again. */
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../packages/api/src/testing/app.js'
import { hostAgent } from '../../packages/api/src/testing/host.js'
import { person, type Person } from '../../packages/api/src/testing/people.js'
import { standBefore } from '../../packages/api/src/testing/silent-database.js'
import { addHost, openShop, type Shop } from '../../packages/api/src/testing/shop.js'
import { verifyBooks } from '../../packages/api/src/audit/verify.js'
import { endApi, startApi, type ApiProcess } from '../setup/api-process.js'
import { startBalancer } from '../setup/balancer.js'
import { waitFor } from '../setup/customer.js'

let floor: TestApp
let shop: Shop
let lin: Person
let hostToken: string
const processes: ApiProcess[] = []
beforeEach(async () => {
  floor = await startApp()
  shop = await openShop(floor)
  hostToken = (await addHost(floor, shop, { servers: 200 })).token
  // It has no agent here: on a slow machine it would be silent before the last purchase.
  await floor.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: sql`clock_timestamp() + interval '1 hour'` })
    .execute()
  lin = await person(floor, 'lin', { yuan: 10_000 })
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map(endApi))
  await floor.close()
})

async function open(env: Record<string, string> = {}, port?: number): Promise<ApiProcess> {
  const { databaseUrl, appSecrets } = floor.deps.config
  const api = await startApi({ DATABASE_URL: databaseUrl, APP_SECRET: appSecrets.join(','), ...env }, port)
  processes.push(api)
  return api
}

const call = (url: string, method: string, path: string, body?: object, headers: object = {}) =>
  fetch(`${url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${lin.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
const placed = async () => ((await lin.post('/orders', shop.order)).body as { data: { id: string } }).data.id

describe('asked to stop', () => {
  test('twenty payments under way are answered, each charged as it was told, and the process ends well', async () => {
    const api = await open({ DATABASE_POOL: '30' })
    const orders = await Promise.all(Array.from({ length: 20 }, placed))
    const holder = new pg.Client({ connectionString: floor.deps.config.databaseUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select id from wallets for update')
    const pays = orders.map((id) => call(api.url, 'POST', `/orders/${id}/pay`, {}))
    await waitFor(async () => {
      // By another connection: the holder's transaction would see the same picture again and again.
      const { rows } = await floor.deps.pools.commands.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0]?.waiting === 20
    }, 'the payments to be under way')
    process.kill(api.pid, 'SIGTERM')
    await waitFor(async () => {
      const reply = await fetch(`${api.url}/readyz`).catch(() => null)
      return reply === null || reply.status === 503
    }, 'the process to say that it stops')
    await holder.query('commit')
    await holder.end()
    expect((await Promise.all(pays)).map((reply) => reply.status)).toEqual(orders.map(() => 200))
    expect(await api.ended).toBe(0)
    expect(await lin.balance()).toBe(10_000 - 20 * 30)
    expect((await verifyBooks(floor.db, new Date())).flatMap((verdict) => verdict.faults)).toEqual([])
  })

  test('a held long poll is answered with nothing, so that its agent asks elsewhere', async () => {
    const api = await open()
    const { me } = hostAgent(floor, hostToken)
    const claim = fetch(`${api.url}/agent/claim`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hostToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...me, freeLanes: 4, waitSeconds: 25, running: [] }),
    })
    await waitFor(async () => {
      const row = await floor.db.selectFrom('hosts').select('instance_id').executeTakeFirstOrThrow()
      return row.instance_id === me.instanceId
    }, 'the poll to be held')
    process.kill(api.pid, 'SIGTERM')
    const reply = await claim
    expect(reply.status).toBe(200)
    expect(await reply.json()).toMatchObject({ result: { data: { job: null } } })
    expect(await api.ended).toBe(0)
  })

  test('without a time to drain, whoever asks over a kept connection is answered, and told that it closes', async () => {
    const api = await open({ DRAIN_SECONDS: '0' })
    const keptOpen = async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
      const ask = async () => {
        const [reply] = (await once(http.get(`${api.url}/healthz`, { agent }), 'response')) as [http.IncomingMessage]
        await once(reply.resume(), 'end')
        return reply.headers.connection
      }
      await ask()
      return async () => {
        while ((await ask()) !== 'close');
        agent.destroy()
      }
    }
    const kept = await Promise.all(Array.from({ length: 10 }, keptOpen))
    const told = Promise.all(kept.map((untilTold) => untilTold()))
    process.kill(api.pid, 'SIGTERM')
    await expect(told).resolves.toHaveLength(10)
    expect(await api.ended).toBe(0)
  })

  test('a connection over which nobody has asked anything is not waited for, what is under way is', async () => {
    const api = await open()
    const balancer = net.connect(api.port, '127.0.0.1')
    await once(balancer, 'connect')
    const id = await placed()
    const holder = new pg.Client({ connectionString: floor.deps.config.databaseUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select id from wallets for update')
    const pay = call(api.url, 'POST', `/orders/${id}/pay`, {})
    await waitFor(async () => {
      const { rows } = await floor.deps.pools.commands.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length === 1
    }, 'the payment to be under way')
    process.kill(api.pid, 'SIGTERM')
    await once(balancer.resume(), 'close')
    await holder.query('commit')
    await holder.end()
    expect((await pay).status).toBe(200)
    expect(await api.ended).toBe(0)
  })

  test('beside a tab of a computer that fell asleep the process ends well', async () => {
    const api = await open({ DRAIN_SECONDS: '0' })
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    }
    // Whoever sleeps says nothing of a close.
    const [, asleep] = (await once(http.get(`${api.url}/trpc`, { headers }), 'upgrade')) as [unknown, net.Socket]
    asleep.on('error', () => {}).pause()
    process.kill(api.pid, 'SIGTERM')
    expect(await api.ended).toBe(0)
  })

  test('beside a mail server that falls silent the process ends well, and its mail is tried again at once, not held', async () => {
    const callers = new Set<net.Socket>()
    const silent = net.createServer((socket) => {
      callers.add(socket)
      socket.write('220 mail.example ESMTP\r\n')
    })
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as net.AddressInfo
    const api = await open({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    expect((await call(api.url, 'POST', '/auth/forgot-password', { email: 'lin@example.com' })).status).toBe(200)
    await waitFor(() => Promise.resolve(callers.size > 0), 'the mail to be under way')
    process.kill(api.pid, 'SIGTERM')
    expect(await api.ended).toBe(0)
    const { rows } = await sql<{ held: boolean; soon: boolean }>`
      select locked_at is not null as held, run_at < clock_timestamp() + interval '10 seconds' as soon
      from graphile_worker.jobs where task_identifier = 'send_mail'`.execute(floor.db)
    expect(rows).toEqual([{ held: false, soon: true }])
    for (const socket of callers) socket.destroy()
    silent.close()
  })

  test('two processes restarted one after the other behind a balancer fail no request', async () => {
    const [first, second] = [await open({ DRAIN_SECONDS: '1' }), await open({ DRAIN_SECONDS: '1' })]
    const balancer = await startBalancer([first.url, second.url])
    const failures: string[] = []
    let answered = 0
    let going = true
    const ask = async (method: string, path: string, body?: object, headers?: object) => {
      const reply = await call(balancer.url, method, path, body, headers).catch((error: Error) => ({
        status: error.message,
      }))
      if (reply.status === 200) answered++
      else failures.push(`${method} ${path}: ${reply.status}`)
      return reply instanceof Response ? ((await reply.json()) as { data: { id: string } }) : null
    }
    const read = async () => {
      while (going) for (const path of ['/price-groups/active', '/wallet', '/orders']) await ask('GET', path)
    }
    const buy = async () => {
      for (let n = 0; going && n < 60; n++) {
        const order = await ask('POST', '/orders', shop.order, { 'idempotency-key': `place-${n}` })
        if (order) await ask('POST', `/orders/${order.data.id}/pay`, {}, { 'idempotency-key': `pay-${n}` })
        if (order) await ask('PUT', `/orders/${order.data.id}/cancel`, {}, { 'idempotency-key': `cancel-${n}` })
      }
    }
    const load = Promise.all([read(), read(), buy()])
    for (const api of [first, second]) {
      const before = answered
      await waitFor(() => Promise.resolve(answered > before + 20), 'requests to be answered')
      process.kill(api.pid, 'SIGTERM')
      expect(await api.ended).toBe(0)
      await open({ DRAIN_SECONDS: '1' }, api.port)
      // The balancer sends to it again before the other goes.
      const again = answered
      await waitFor(() => Promise.resolve(answered > again + 20), 'requests to be answered')
    }
    going = false
    await load
    await balancer.stop()
    expect(failures).toEqual([])
    expect((await verifyBooks(floor.db, new Date())).flatMap((verdict) => verdict.faults)).toEqual([])
  })
})

describe('a database that falls silent', () => {
  test('is told as 503 with a time to ask again, by what waited for it and by what comes; and served again afterwards', async () => {
    const pause = await standBefore(floor.deps.config.databaseUrl)
    const api = await open({ DATABASE_URL: pause.url })
    try {
      expect((await call(api.url, 'GET', '/wallet')).status).toBe(200)
      pause.pause()
      const waiting = await call(api.url, 'GET', '/wallet')
      const coming = await call(api.url, 'GET', '/orders')
      const ready = await fetch(`${api.url}/readyz`)
      for (const reply of [waiting, coming])
        expect([
          reply.status,
          reply.headers.get('retry-after'),
          ((await reply.json()) as { code: string }).code,
        ]).toEqual([503, '2', 'UNAVAILABLE'])
      expect([ready.status, await ready.json()]).toEqual([503, { ok: false, reason: 'database' }])
      pause.resume()
      await waitFor(async () => (await fetch(`${api.url}/readyz`)).ok, 'the API to be ready again')
      expect((await call(api.url, 'GET', '/wallet')).status).toBe(200)
    } finally {
      pause.stop()
    }
  })
})
