import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { agentRouter } from '../http/agents/router.js'
import { enqueueConnectionTest } from '../servers/kvm/connection-tests.js'
import { hostAgent } from '../testing/host.js'
import { sweep } from '../schedule/sweep.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost } from '../testing/shop.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

type Asked = { freeLanes?: number; waitSeconds?: number; running?: { jobId: string; attempt: number }[] }
async function ask(more: Asked = {}, agent = sale.agent) {
  const asked = { ...agent.me, freeLanes: 4, waitSeconds: 0, running: agent.taken, ...more }
  const reply = await agent.caller.claim(asked)
  if (reply.job) agent.taken.push({ jobId: reply.job.id, attempt: reply.job.attempt })
  return reply
}

const tries = () =>
  sale.app.db.selectFrom('jobs').select(['attempt', 'status', 'lease_until', 'log']).orderBy('created_at').execute()

describe('asking for work', () => {
  test('gives the oldest job that is due, one at a time, with its password and no other host’s', async () => {
    const [first, second] = [await sale.buy(), await sale.buy({ initialPassword: 'Other-pass-2' })]
    const other = hostAgent(sale.app, (await addHost(sale.app, sale.shop, { network: '10.8.0' })).token)
    expect(await ask({}, other)).toEqual({ job: null, connectionTests: [], consoles: [], repositoryTests: [] })
    const one = (await ask()).job
    expect(one).toMatchObject({
      attempt: 1,
      secrets: { password: 'Secret-pass-1' },
      generation: { epoch: 0, number: 1 },
    })
    expect(one?.serverId).toBe(await sale.serverOf(first))
    expect((await ask()).job?.serverId).toBe(await sale.serverOf(second))
    expect((await ask()).job).toBeNull()
  })

  test('leaves an act that only a later version’s process knows to that, and gives what is behind it', async () => {
    const [first, second] = [await sale.buy(), await sale.buy()]
    const later = await sale.serverOf(first)
    const { owner } = sale.app
    await sql`alter table jobs drop constraint jobs_kind_known`.execute(owner)
    await sql`update jobs set kind = 'ofALaterVersion', payload = '{"kind":"ofALaterVersion"}' where server_id = ${later}`.execute(
      owner,
    )
    expect((await ask()).job?.serverId).toBe(await sale.serverOf(second))
    expect((await ask()).job).toBeNull()
    const left = () =>
      sale.app.db.selectFrom('jobs').select(['id', 'status']).where('server_id', '=', later).executeTakeFirstOrThrow()
    const { id, status } = await left()
    expect(status).toBe('QUEUED')
    // Also to the next start of the agent that holds it.
    await sql`update jobs set status = 'RUNNING', attempt = 1, instance_id = ${randomUUID()},
      lease_until = clock_timestamp() + interval '1 minute' where id = ${id}`.execute(owner)
    expect((await ask({ running: [...sale.agent.taken, { jobId: id, attempt: 1 }] })).job).toBeNull()
    // What its end means is not known here either.
    const failed = { ok: false, message: 'no', detail: '', final: true, aborted: false, power: 'on' } as const
    const told = { jobId: id, attempt: 1, steps: [], percentage: 100, result: failed }
    await expect(sale.agent.caller.finish({ ...sale.agent.me, ...told })).rejects.toThrow('服务暂时不可用，请稍后重试')
    await sql`update jobs set lease_until = clock_timestamp() - interval '1 minute' where id = ${id}`.execute(owner)
    await sweep(sale.app.deps)
    expect((await left()).status).toBe('RUNNING')
  })

  test('without a free lane gives connection tests alone, and the jobs that the agent holds already', async () => {
    const serverId = await sale.serverOf(await sale.buyActive())
    await sale.lin.post('/server-management/action', { serverId, action: 'restart' })
    await inTx(sale.app.db, (tx) => enqueueConnectionTest(tx, serverId, sale.app.deps.now()))
    const full = await ask({ freeLanes: 0 })
    expect([full.job, full.connectionTests]).toMatchObject([null, [{ address: '10.9.0.2', port: 2222 }]])
    const job = (await ask()).job!
    const next = hostAgent(sale.app, sale.host.token, sale.agent)
    const running = [{ jobId: job.id, attempt: job.attempt }]
    expect((await ask({ freeLanes: 0, running }, next)).job).toMatchObject({ id: job.id, attempt: 2, secrets: null })
  })

  test('waits for what is asked meanwhile, and is answered when it comes', async () => {
    const waiting = ask({ waitSeconds: 20 })
    const id = await sale.buy()
    expect((await waiting).job?.serverId).toBe(await sale.serverOf(id))
  })

  test('hands nothing to an agent that has left, which would hold it until its lease ends', async () => {
    await sale.buy()
    const { deps } = sale.app
    const left = AbortSignal.abort()
    const caller = agentRouter.createCaller(
      { deps, db: deps.db, now: deps.now, token: sale.host.token },
      { signal: left },
    )
    const asked = { ...sale.agent.me, freeLanes: 4, waitSeconds: 20, running: [] }
    expect((await caller.claim(asked)).job).toBeNull()
    expect((await ask()).job).not.toBeNull()
  })

  test('at the same moment as another call hands a job out as one attempt', async () => {
    await sale.buy()
    const handed = (await Promise.all([ask(), ask(), ask()])).flatMap(({ job }) => job ?? [])
    expect(handed.length).toBeGreaterThan(0)
    expect(handed.map(({ attempt }) => attempt)).toEqual(handed.map(() => 1))
    expect((await tries()).map(({ attempt }) => attempt)).toEqual([1])
  })

  test('hands out again, as it was, what the agent does not name: its answer was lost', async () => {
    const serverId = await sale.serverOf(await sale.buy())
    const lost = (await ask()).job!
    const before = await tries()
    await sale.buy()
    // What is due waits behind it; a call without a lane has no place for it, and another agent no right.
    expect((await ask({ freeLanes: 0, running: [] })).job).toBeNull()
    const other = hostAgent(sale.app, (await addHost(sale.app, sale.shop, { network: '10.8.0' })).token)
    expect((await ask({}, other)).job).toBeNull()
    expect((await ask({ running: [] })).job).toEqual(lost)
    expect(lost).toMatchObject({ serverId, attempt: 1, secrets: { password: 'Secret-pass-1' } })
    // No try and no time more: one whose answers are always lost ends with its lease.
    expect((await tries()).slice(0, 1)).toEqual(before.slice(0, 1))
    const named = { jobId: lost.id, attempt: 1 }
    const next = (await ask({ running: [named] })).job!
    expect(next.serverId).not.toBe(serverId)
    expect((await ask({ running: [named, { jobId: next.id, attempt: 1 }] })).job).toBeNull()
    await sale.agent.finish(lost)
    expect((await ask({ running: [] })).job).toEqual(next)
    // It names a try that ended meanwhile: of the new one it never heard.
    await sql`update jobs set attempt = 2 where id = ${next.id}`.execute(sale.app.db)
    expect((await ask({ running: [{ jobId: next.id, attempt: 1 }] })).job).toEqual({ ...next, attempt: 2 })
  })
})
