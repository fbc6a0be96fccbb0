import { randomUUID } from 'node:crypto'
import { firewallTemplates } from '@vps/shared/firewall'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobResult } from '@vps/shared/jobs.contract'
import { fen } from '@vps/shared/money'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { verifyBooks } from '../../packages/api/src/audit/verify.js'
import { build } from '../../packages/api/src/build.js'
import { closeDeps, openDeps } from '../../packages/api/src/deps.js'
import { must } from '../../packages/api/src/must.js'
import { sweep } from '../../packages/api/src/schedule/sweep.js'
import type { TestApp } from '../../packages/api/src/testing/app.js'
import { hostAgent } from '../../packages/api/src/testing/host.js'
import { call } from '../../packages/api/src/testing/people.js'
import { openSale, type HostAgent, type Sale } from '../../packages/api/src/testing/sale.js'
import { addHost, sharePool } from '../../packages/api/src/testing/shop.js'
import { seeded, type Random } from './random.js'

/**
 * Its owner, staff, timers and its host's agent ask things of one order in the same moment, of either of two processes.
 * `STORMS=100` looks longer, SEED chooses the same acts again; their order is the database's.
 */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const storms = Number(process.env['STORMS'] ?? 4)

let sale: Sale
/** Where there is room, too. */
let other: { id: string; agent: HostAgent }
afterEach(async () => {
  await leaveBeside()
  await sale.app.close()
})

type Process = Pick<TestApp, 'app' | 'deps' | 'db'>
/** On the same database and clock, with nothing else in common. */
let beside: Process | null = null
async function leaveBeside(): Promise<void> {
  if (!beside) return
  await beside.app.close()
  await closeDeps(beside.deps)
  beside = null
}
async function processBeside({ deps }: TestApp): Promise<Process> {
  const { config, now, log, sendMail } = deps
  if (beside?.deps.config.databaseUrl === config.databaseUrl) return beside
  await leaveBeside()
  const own = await openDeps(config, { now, log, sendMail })
  return (beside = { app: await build(own), deps: own, db: own.db })
}

/** As behind a balancer: each call comes to one of both. By a chance of its own: acts are chosen before any answer. */
const balancer = seeded(seed)
const eitherOf = <T extends object>(one: T, another: T): T =>
  new Proxy(one, {
    get(_, name) {
      const chosen = balancer.pick([one, another])
      const found: unknown = Reflect.get(chosen, name)
      return typeof found === 'function' ? found.bind(chosen) : found
    },
  })
/** One start of one agent. */
function agentOfBoth(agent: HostAgent, token: string, second: Process): HostAgent {
  const same = hostAgent(second, token)
  Object.assign(same.me, agent.me)
  return eitherOf(agent, same)
}

/** `job`: what an agent has in hand. */
type Target = { id: string; serverId: string; agent: HostAgent; job: ClaimedJob | null; backupId: string }

type Prepare = (id: string, serverId: string) => Promise<{ status: number; body: unknown } | void>
const states: Record<string, Prepare> = {
  runs: async () => {},
  'is being reinstalled': (_, serverId) => sale.lin.post(`/server-management/${serverId}/install`, system),
  'is being upgraded': (id) => sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 3 }),
  'is being suspended': (id) => setStatus(id, 'SUSPENDED'),
  'has come to its end': (id) => sale.toEnd(id, 1_000),
  'is wanted back': (id) => sale.lin.post(`/orders/${id}/refund`, { reason: '不需要了' }),
  'is on a lost host': () => loseHost(),
  'has another firewall saved': (_, serverId) => saveFirewall(serverId),
  'goes into rescue': (_, serverId) => enterRescue(serverId),
  'is in rescue': async (_, serverId) => {
    await enterRescue(serverId)
    await serveAll()
  },
  'leaves rescue': async (_, serverId) => {
    await enterRescue(serverId)
    await serveAll()
    return leaveRescue(serverId)
  },
  'is being backed up': (_, serverId) => backUp(serverId),
  'is being restored': (_, serverId) => restore(serverId, backupId),
  'is being migrated': (_, serverId) => migrate(serverId),
  'is being copied for its migration': async (_, serverId) => {
    await migrate(serverId)
    await serveOne(sale.agent)
  },
  'is being restored at another host': async (_, serverId) => {
    await migrate(serverId)
    await serveOne(sale.agent)
    await serveOne(sale.agent)
  },
}
let backupId: string
let sweepOne: () => Promise<void>
const pathOf = (serverId: string) => `/server-management/${serverId}`
const enterRescue = (serverId: string) => sale.lin.post(`${pathOf(serverId)}/rescue`)
const leaveRescue = (serverId: string) =>
  call(sale.app, 'DELETE', `${pathOf(serverId)}/rescue`, { token: sale.lin.token })
const backUp = (serverId: string) => sale.lin.post(`${pathOf(serverId)}/backups`, {})
const restore = (serverId: string, backup: string) => sale.lin.post(`${pathOf(serverId)}/backups/${backup}/restore`)
const loseHost = () => sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })
const sshOnly = must(firewallTemplates[0]).made(22)
const saveFirewall = (serverId: string) =>
  sale.lin.put(`${pathOf(serverId)}/firewall`, { revision: 0, firewall: sshOnly })
async function migrate(serverId: string) {
  const answer = await sale.admin.post(`/servers/${serverId}/migrate`, { hostId: null }, { key: randomUUID() })
  await sweepOne()
  return answer
}

const isOff = ['stop', 'backup']
/** As such a job ends well. */
const endOf = (job: ClaimedJob): Partial<JobResult> => ({
  power: isOff.includes(job.payload.kind) ? 'off' : 'on',
  ...(job.payload.kind === 'backup' ? { backup: { diskBytes: 1, addedBytes: 1, hostKey: 'ssh-ed25519 AAAA' } } : {}),
})
async function serveOne(agent: HostAgent): Promise<ClaimedJob | null> {
  const job = (await agent.claim()) ?? null
  if (job) await agent.finish(job, endOf(job))
  return job
}
async function serveAll(): Promise<void> {
  while ((await serveOne(sale.agent)) ?? (await serveOne(other.agent)));
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
const ended = ({ job, agent }: Target, result: Partial<JobResult> = {}) =>
  done(job ? agent.finish(job, { ...endOf(job), ...result }) : serveOne(agent))

const acts: Record<string, (target: Target) => Promise<number>> = {
  renew: ({ id }) => statusOf(sale.lin.post(`/orders/${id}/renew`)),
  upgrade: ({ id }) => statusOf(sale.lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 })),
  'more addresses': ({ id }) => statusOf(sale.lin.post(`/orders/${id}/upgrade`, { ipCount: 2 })),
  'ask for a refund': ({ id }) => statusOf(sale.lin.post(`/orders/${id}/refund`, { reason: '不需要了' })),
  stop: ({ serverId }) => statusOf(sale.lin.post('/server-management/action', { serverId, action: 'stop' })),
  restart: ({ serverId }) => statusOf(sale.lin.post('/server-management/action', { serverId, action: 'restart' })),
  reinstall: ({ serverId }) => statusOf(sale.lin.post(`/server-management/${serverId}/install`, system)),
  snapshot: ({ serverId }) => statusOf(sale.lin.post(`/server-management/${serverId}/snapshots`, { name: '一' })),
  buy: async () => {
    // Its account may be suspended meanwhile.
    const { status, body } = await sale.lin.post('/orders', sale.shop.order)
    return body.data ? statusOf(sale.lin.post(`/orders/${body.data.id}/pay`)) : status
  },
  suspend: ({ id }) => statusOf(setStatus(id, 'SUSPENDED')),
  resume: ({ id }) => statusOf(setStatus(id, 'ACTIVE')),
  refund: async () => {
    const { body } = await sale.admin.get('/refunds?status=PENDING')
    return statusOf(sale.admin.post(`/refunds/${body.data.content[0]?.id ?? randomUUID()}/approve`, { reason: '同意' }))
  },
  'lose the host': () => statusOf(loseHost()),
  'call the job off': ({ job }) => statusOf(sale.admin.post(`/jobs/${job?.id ?? randomUUID()}/cancel`)),
  'take the job over': ({ job }) => statusOf(sale.admin.post(`/jobs/${job?.id ?? randomUUID()}/adopt`)),
  timers: () => done(sweepOne()),
  claim: () => done(sale.agent.claim()),
  beat: ({ job, agent }) => done(job ? agent.beat(job) : agent.claim()),
  'end well': (target) => ended(target),
  'end badly': (target) => ended(target, { ok: false }),
  'end for good': (target) => ended(target, { ok: false, final: true }),
  'tell that it is off': ({ serverId }) => done(sale.agent.report(serverId, 'off')),
  'find nothing': () => done(sale.agent.inventory({})),
  'find nothing elsewhere': () => done(other.agent.inventory({})),
  'claim elsewhere': () => done(other.agent.claim()),
  'lose the other host': () => statusOf(sale.admin.put(`/hosts/${other.id}/status`, { status: 'LOST' })),
  'set up elsewhere': ({ id }) => statusOf(sale.admin.post(`/orders/${id}/evacuate`)),
  'give back what was lost': async ({ id }) => {
    const { body } = await sale.admin.get(`/hosts/${sale.host.id}/lost-orders`)
    return statusOf(sale.admin.post(`/orders/${id}/refund-lost`, { amount: body.data[0]?.refund ?? 0 }))
  },
  'do the job again': ({ job }) => statusOf(sale.admin.post(`/jobs/${job?.id ?? randomUUID()}/retry`)),
  'renew by hand from now on': ({ id }) => statusOf(sale.lin.put(`/orders/${id}/auto-renewal`, { autoRenewal: false })),
  'save the firewall': ({ serverId }) => statusOf(saveFirewall(serverId)),
  'back up daily': ({ serverId }) =>
    statusOf(sale.lin.put(`${pathOf(serverId)}/backup-schedule`, { frequency: 'daily', hour: 3 })),
  'suspend the account': () =>
    statusOf(sale.admin.put(`/users/${sale.lin.user.id}/status`, { status: 'suspended', reason: '测试' })),
  'go into rescue': ({ serverId }) => statusOf(enterRescue(serverId)),
  'leave rescue': ({ serverId }) => statusOf(leaveRescue(serverId)),
  'back up': ({ serverId }) => statusOf(backUp(serverId)),
  restore: (target) => statusOf(restore(target.serverId, target.backupId)),
  'delete the copy': (target) =>
    statusOf(
      call(sale.app, 'DELETE', `${pathOf(target.serverId)}/backups/${target.backupId}`, { token: sale.lin.token }),
    ),
  migrate: ({ serverId }) => statusOf(migrate(serverId)),
  'migrate no more': ({ serverId }) =>
    statusOf(call(sale.app, 'DELETE', `/servers/${serverId}/migrate`, { token: sale.admin.token, key: randomUUID() })),
  'set another password': ({ serverId }) =>
    statusOf(
      sale.lin.post('/server-management/action', { serverId, action: 'resetPassword', newPassword: 'Secret-pass-3' }),
    ),
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
  const { app } = sale
  for (let round = 0; round < 12 && (await openJobs()).length > 0; round++) {
    await sql`update jobs set lease_until = 'epoch' where status = 'RUNNING'`.execute(app.db)
    await sweepOne()
    await sql`update jobs set run_at = 'epoch' where status = 'QUEUED'`.execute(app.db)
    await serveAll()
    app.advance(60_000)
  }
  return openJobs()
}

/** An order that runs on one of two hosts, with a copy, and a rescue system for it. */
async function openWorld() {
  sale = await openSale({ yuan: 500, servers: 4, addresses: 8 })
  const { app, admin, shop } = sale
  const second = await processBeside(app)
  await app.db
    .updateTable('price_groups')
    .set({ snapshots: 2, most_backups: 5, backup_rate_fen: fen(300) })
    .execute()
  await admin.put('/backup-repository', { url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
  const host = await addHost(app, shop, { network: '10.9.1', servers: 4 })
  other = { id: host.id, agent: hostAgent(app, host.token) }
  await sharePool(app, sale.host.id, other.id)
  const rescue = { osName: '救援系统', osVersion: '1', file: 'rescue.qcow2', kind: 'rescue', minDiskGb: 4 }
  await admin.post('/images', rescue)
  const images = [
    { file: 'debian-12.qcow2', bytes: 1 },
    { file: rescue.file, bytes: 1 },
  ]
  for (const agent of [sale.agent, other.agent]) await agent.inventory({ images })
  const id = await sale.buyActive({ backups: 2 })
  const serverId = await sale.serverOf(id)
  await sale.agent.report(serverId, 'on')
  await backUp(serverId)
  await serveAll()
  backupId = (await sale.lin.get(`${pathOf(serverId)}/backups`)).body.data.backups[0].id
  app.app = eitherOf(app.app, second.app)
  sweepOne = () => sweep(balancer.pick([app.deps, second.deps]))
  sale.agent = agentOfBoth(sale.agent, sale.host.token, second)
  other.agent = agentOfBoth(other.agent, host.token, second)
  return { id, serverId }
}

async function storm(random: Random, prepare: Prepare) {
  const { id, serverId } = await openWorld()
  const prepared = await prepare(id, serverId)
  if (prepared) expect(prepared.status, JSON.stringify(prepared.body)).toBe(200)
  const here = (await sale.agent.claim()) ?? null
  const job = here ?? (await other.agent.claim()) ?? null
  const target = { id, serverId, job, agent: job && !here ? other.agent : sale.agent, backupId }
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
