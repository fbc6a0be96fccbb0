import { randomUUID } from 'node:crypto'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobResult } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { verifyBooks } from '../../packages/api/src/audit/verify.js'
import { sweep } from '../../packages/api/src/schedule/sweep.js'
import { openSale, type Sale } from '../../packages/api/src/testing/sale.js'
import { seeded, type Random } from './random.js'

/**
 * Its owner, staff, timers and its host's agent ask things of one order in the same moment. `STORMS=100` looks longer, SEED
 * chooses the same acts again; their order is the database's.
 */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const storms = Number(process.env['STORMS'] ?? 4)

let sale: Sale
afterEach(() => sale.app.close())

/** `job`: what its host's agent has in hand. */
type Target = { id: string; serverId: string; job: ClaimedJob | null }

const states: Record<string, (id: string, serverId: string) => Promise<unknown>> = {
  runs: async () => {},
  'is being reinstalled': (_, serverId) => sale.lin.post(`/server-management/${serverId}/install`, system),
  'is being upgraded': (id) => sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 3 }),
  'is being suspended': (id) => setStatus(id, 'SUSPENDED'),
  'has come to its end': (id) => sale.toEnd(id, 1_000),
  'is wanted back': (id) => sale.lin.post(`/orders/${id}/refund`, { reason: '不需要了' }),
}
const system = { osName: 'Debian', osVersion: '12', rootPassword: 'Secret-pass-2' }
const setStatus = (id: string, status: string) => sale.admin.put(`/orders/${id}/status`, { status, reason: '测试' })

async function statusOf(asked: Promise<{ status: number }>): Promise<number> {
  return (await asked).status
}
async function done(act: Promise<unknown>): Promise<number> {
  await act
  return 200
}
const ended = (job: ClaimedJob | null, result: Partial<JobResult> = {}) =>
  done(job ? sale.agent.finish(job, result) : sale.agent.serve())

const acts: Record<string, (target: Target) => Promise<number>> = {
  renew: ({ id }) => statusOf(sale.lin.post(`/orders/${id}/renew`)),
  upgrade: ({ id }) => statusOf(sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })),
  'more addresses': ({ id }) => statusOf(sale.lin.post(`/orders/${id}/upgrade`, { ipCount: 2 })),
  'ask for a refund': ({ id }) => statusOf(sale.lin.post(`/orders/${id}/refund`, { reason: '不需要了' })),
  stop: ({ serverId }) => statusOf(sale.lin.post('/server-management/action', { serverId, action: 'stop' })),
  restart: ({ serverId }) => statusOf(sale.lin.post('/server-management/action', { serverId, action: 'restart' })),
  reinstall: ({ serverId }) => statusOf(sale.lin.post(`/server-management/${serverId}/install`, system)),
  snapshot: ({ serverId }) => statusOf(sale.lin.post(`/server-management/${serverId}/snapshots`, { name: '一' })),
  buy: async () => statusOf(sale.lin.post(`/orders/${await sale.place()}/pay`)),
  suspend: ({ id }) => statusOf(setStatus(id, 'SUSPENDED')),
  resume: ({ id }) => statusOf(setStatus(id, 'ACTIVE')),
  refund: async () => {
    const { body } = await sale.admin.get('/refunds?status=PENDING')
    return statusOf(sale.admin.post(`/refunds/${body.data.content[0]?.id ?? randomUUID()}/approve`, { reason: '同意' }))
  },
  'lose the host': () => statusOf(sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })),
  'call the job off': ({ job }) => statusOf(sale.admin.post(`/jobs/${job?.id ?? randomUUID()}/cancel`)),
  'take the job over': ({ job }) => statusOf(sale.admin.post(`/jobs/${job?.id ?? randomUUID()}/adopt`)),
  timers: () => done(sweep(sale.app.deps)),
  claim: () => done(sale.agent.claim()),
  beat: ({ job }) => done(job ? sale.agent.beat(job) : sale.agent.claim()),
  'end well': ({ job }) => ended(job),
  'end badly': ({ job }) => ended(job, { ok: false }),
  'end for good': ({ job }) => ended(job, { ok: false, final: true }),
  'tell that it is off': ({ serverId }) => done(sale.agent.report(serverId, 'off')),
  'find nothing': () => done(sale.agent.inventory({})),
}

const faults = async () =>
  (await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')).flatMap((verdict) => verdict.faults)

const openJobs = async () =>
  (
    await sale.app.db
      .selectFrom('jobs')
      .select(['kind', 'status'])
      .where('status', 'in', ['QUEUED', 'RUNNING'])
      .execute()
  ).map(({ kind, status }) => `${kind} ${status}`)

/** Retries are due, leases lost, and the agent, if nobody gave up its host, does what it is given. */
async function comeToRest(): Promise<string[]> {
  const { app, agent } = sale
  for (let round = 0; round < 12 && (await openJobs()).length > 0; round++) {
    await sql`update jobs set lease_until = 'epoch' where status = 'RUNNING'`.execute(app.db)
    await sweep(app.deps)
    await sql`update jobs set run_at = 'epoch' where status = 'QUEUED'`.execute(app.db)
    while (await agent.serve());
    app.advance(60_000)
  }
  return openJobs()
}

async function storm(random: Random, prepare: (id: string, serverId: string) => Promise<unknown>) {
  sale = await openSale({ yuan: 300, servers: 4, addresses: 8 })
  await sale.app.db.updateTable('price_groups').set({ snapshots: 2 }).execute()
  const id = await sale.buyActive()
  const serverId = await sale.serverOf(id)
  await sale.agent.report(serverId, 'on')
  await prepare(id, serverId)
  const target = { id, serverId, job: (await sale.agent.claim()) ?? null }
  const chosen = Array.from({ length: random.between(2, 6) }, () => random.pick(Object.keys(acts)))
  const answers = await Promise.all(chosen.map(async (name) => `${name}: ${(await acts[name]?.(target)) ?? ''}`))
  const failed = answers.filter((answer) => / 5\d\d$/.test(answer))
  const wrong = [...failed, ...(await faults()), ...(await comeToRest()), ...(await faults())]
  return { wrong, what: answers.join(', ') }
}

test.each(Object.entries(states))(
  `whatever is asked at once of an order that %s is answered, its books hold, and all comes to rest (SEED=${seed})`,
  async (_name, prepare) => {
    const random = seeded(seed)
    for (let n = 0; n < storms; n++) {
      const { wrong, what } = await storm(random, prepare)
      expect(wrong, what).toEqual([])
      if (n < storms - 1) await sale.app.close()
    }
  },
)
