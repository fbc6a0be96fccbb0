import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { protocolVersion } from '@vps/shared/agent'
import { closedLoop, loadOf, openClients, openLoop, type Load } from '../world/load.js'
import { boundRow, rateRow, type Row } from '../world/row.js'
import { groups, idOf, tokenOf, type World } from '../world/world.js'
import { pay, pendingOrders } from './paying.js'
import { inTurns, type Length } from './turns.js'

const hosts = 1_000
const machinesPerHost = 50

const identity = (host: number) => ({
  protocol: protocolVersion,
  agentVersion: 'bench',
  machineId: 'machine of the bench',
  instanceId: idOf(11, 10_000 + host),
  before: [],
})

export const callOf = (procedure: string, host: number, input: object) => ({
  method: 'POST' as const,
  path: `/agent/${procedure}`,
  token: tokenOf('host', host),
  body: { ...identity(host), ...input },
})

/** Each figure differs from the one before. */
function report(host: number) {
  const change = Math.random() * 20
  const domains = Array.from({ length: machinesPerHost }, (_, n) => ({
    serverId: idOf(9, host - 1 + n * hosts || hosts * machinesPerHost),
    power: 'on',
    cpuUsage: 10 + change,
    memoryUsage: 30 + change,
    diskUsage: 40,
    uptimeSeconds: 1000 + change,
    rxBytes: Date.now(),
    txBytes: Date.now(),
  }))
  const figures = { cpuUsage: change, memoryUsage: 20, diskUsage: 30, load1: 1 }
  return callOf('report', host, { at: new Date().toISOString(), host: figures, domains })
}

export async function reports(world: World, length: Length): Promise<Row[]> {
  await world.sql
    .query(`create table if not exists bench.samples (server_id uuid, at timestamptz, cpu real, memory real, disk real, uptime bigint, rx bigint, tx bigint);
    create index if not exists samples_idx on bench.samples (server_id, at); grant all on bench.samples to public`)
  const seen = await inTurns(world, length, {
    floor: () => insertSamples(world, length.seconds),
    own: () => sendReports(world, length.seconds),
  })
  const floor = 'bare insert … select unnest of 50 samples, 8 connections'
  return [rateRow('reports of 50 machines', floor, 0.5, seen.floor, seen.own), await steadyReports(world, length)]
}

async function sendReports(world: World, seconds: number): Promise<Load> {
  const connections = openClients(world.api.url, 8)
  let n = 0
  const load = await closedLoop(8, seconds, async (client) => connections.send(client, report(1 + (n++ % hosts))))
  await connections.close()
  return load
}

const insertSamples = (world: World, seconds: number): Promise<Load> =>
  closedLoop(8, seconds, async () => {
    const ids = Array.from({ length: machinesPerHost }, (_, n) => idOf(9, n))
    const figures = ids.map(() => Math.random() * 100)
    await world.pool.query({
      name: 'samples',
      text: `insert into bench.samples select s, now(), f, f, f, f::bigint, f::bigint, f::bigint from unnest($1::uuid[], $2::real[]) u(s, f)`,
      values: [ids, figures],
    })
  })

/** A thousand hosts, each every ten seconds. */
async function steadyReports(world: World, { seconds }: Length): Promise<Row> {
  const connections = openClients(world.api.url, 64)
  let n = 0
  const before = world.cpuMs()
  await openLoop(hosts / 10, seconds * 2, async () => {
    const host = 1 + (n++ % hosts)
    await connections.send(host, report(host))
  })
  const cores = (world.cpuMs().api - before.api) / (seconds * 2 * 1000)
  await connections.close()
  return boundRow('reports of 1,000 hosts every 10 s: API', 'cores', 0.4, cores)
}

/** From the commit of a pay until the agent has the job. */
export async function wake(world: World, { seconds }: Length): Promise<Row[]> {
  const times = await heardAfter(world, seconds * 2)
  const floor = await bareNotify(world, seconds)
  const seen = loadOf(times, seconds * 2)
  const against = { floor: 'bare NOTIFY, p50 and p99', floorFigure: floor.p50Ms, p99FloorMs: floor.p99Ms }
  return [
    { ...boundRow('commit of a pay → job at the agent, p50', 'ms', 5, seen.p50Ms), ...against, p99Ms: seen.p99Ms },
    {
      ...boundRow('commit of a pay → job at the agent, p99', 'ms', 50, seen.p99Ms),
      ...against,
      floorFigure: floor.p99Ms,
    },
  ]
}

async function heardAfter(world: World, seconds: number): Promise<number[]> {
  // Bought by other cases.
  await world.sql.query(`update jobs set status = 'SUPERSEDED', finished_at = now() where status = 'QUEUED'`)
  const polled = Array.from({ length: 20 }, (_, n) => n + 2)
  const heard = new Map<string, number>()
  let ended = false
  const agents = openClients(world.api.url, polled.length)
  const endAll = (ids: string[]) =>
    world.sql.query(
      `update jobs set status = 'SUPERSEDED', lease_until = null, finished_at = now() where id = any($1)`,
      [ids],
    )
  const polls = polled.map(async (host, client) => {
    const running: { jobId: string; attempt: number }[] = []
    while (!ended) {
      const reply = await agents.read<Claim>(client, callOf('claim', host, { freeLanes: 8, waitSeconds: 5, running }))
      const { job } = reply.result.data
      if (!job) continue
      heard.set(job.payload.machine?.hostname.toUpperCase() ?? '', performance.timeOrigin + performance.now())
      running.push({ jobId: job.id, attempt: job.attempt })
      // As many as a claim may name.
      if (running.length === 64) await endAll(running.splice(0).map(({ jobId }) => jobId))
    }
    await endAll(running.map(({ jobId }) => jobId))
  })
  await pause(500)
  const orders = await pendingOrders(world, groups.fourHosts, seconds * 300)
  const buyers = openClients(world.api.url, 8)
  await closedLoop(8, seconds, (client) => {
    const order = orders.pop()
    return order ? pay(buyers, client, order) : null
  })
  await pause(500)
  ended = true
  await Promise.all(polls)
  await Promise.all([agents.close(), buyers.close()])
  const { rows } = await world.sql.query<{ number: string; ms: number }>(
    `select o.number, extract(epoch from pg_xact_commit_timestamp(l.xmin))::float8 * 1000 as ms
     from ledger_entries l join orders o on o.id = l.order_id where o.number = any($1)`,
    [[...heard.keys()]],
  )
  return rows.map(({ number, ms }) => heard.get(number)! - ms)
}
type Claim = {
  result: { data: { job: { id: string; attempt: number; payload: { machine?: { hostname: string } } } | null } }
}

async function bareNotify(world: World, seconds: number): Promise<Load> {
  const listener = new pg.Client({ connectionString: world.applicationUrl })
  await listener.connect()
  await listener.query('listen bench')
  const times: number[] = []
  listener.on('notification', ({ payload }) => times.push(performance.now() - Number(payload)))
  await closedLoop(1, seconds, async () => {
    await world.pool.query(`select pg_notify('bench', $1)`, [String(performance.now())])
  })
  await pause(50)
  await listener.end()
  return loadOf(times, seconds)
}
