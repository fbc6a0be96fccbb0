import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { User } from '../../packages/api/src/actor.js'
import { inTx } from '../../packages/api/src/db/tx.js'
import { enrolHost } from '../../packages/api/src/fleet/hosts.js'
import { moveHost, renewEnrolment } from '../../packages/api/src/fleet/manage-hosts.js'
import { addHost, type Shop } from '../../packages/api/src/testing/shop.js'
import { type Agent, noMisfortunes, openAgent } from './agent.js'
import type { Random } from './random.js'
import type { World } from './world.js'

/** Their agents fail and are killed; they go away, burn and are replaced. */
export async function openHosts(world: World, shop: Shop, random: Random, count: number, servers: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vps-simulation-'))
  const backupsDir = path.join(folder, 'backups')
  const happened = { away: 0, burnt: 0, ...noMisfortunes }
  const capacity = { cpuCores: servers * 2, memoryMb: servers * 4096, diskGb: servers * 40 }
  let machines = 0
  const agentOf = (token: string, before?: Agent) => {
    const dir = path.join(folder, `${machines++}`)
    return openAgent(world, random, { dir, backupsDir, token, capacity, happened, ...(before && { before }) })
  }
  const hosts = await Promise.all(
    Array.from({ length: count }, async (_one, n) => {
      const options = { name: `host-${n}`, network: `10.${20 + n}.0`, servers, addresses: 200 }
      const { id, token } = await addHost(world.floor, shop, options)
      return { id, agent: agentOf(token), awayUntil: 0, isLost: false }
    }),
  )
  // Each draws from the next one's addresses, too: whoever is evacuated may keep them.
  const own = await world.db.selectFrom('host_ip_pools').selectAll().execute()
  const shared = hosts.map(({ id }, n) => {
    const next = hosts[(n + 1) % hosts.length]!.id
    return { host_id: id, pool_id: own.find(({ host_id }) => host_id === next)!.pool_id }
  })
  await world.db.insertInto('host_ip_pools').values(shared).execute()
  type Host = (typeof hosts)[number]

  const isThere = ({ isLost, awayUntil }: Host) => !isLost && awayUntil <= world.now().getTime()

  async function turn(host: Host): Promise<void> {
    if (!isThere(host)) return
    await host.agent.work()
    await host.agent.tell()
  }

  /** No two guests have one address. */
  async function expectNoneTwice(): Promise<void> {
    const migrating = await world.db
      .selectFrom('cold_migrations')
      .select('server_id')
      .where('ended_at', 'is', null)
      .execute()
    for (const { server_id } of migrating) {
      const found = await Promise.all(hosts.map(async ({ isLost, agent }) => (isLost ? null : agent.find(server_id))))
      const running = found.filter((one) => one?.power === 'on')
      if (running.length > 1) throw new Error(`server ${server_id} runs on ${running.length} hosts`)
    }
  }

  return {
    happened,
    backupsDir,
    machines: async () =>
      (await Promise.all(hosts.filter(({ isLost }) => !isLost).map(({ agent }) => agent.domains()))).flat(),
    recover: () =>
      hosts.forEach((host) => {
        host.awayUntil = 0
        host.agent.calm()
      }),
    misfortune() {
      const host = random.pick(hosts)
      if (host.awayUntil > world.now().getTime()) return
      happened.away++
      host.awayUntil = world.now().getTime() + random.between(1, 40) * 3600_000
    },
    /** With all its machines; one at a time. Gives its id. */
    async burn(administrator: User): Promise<string | null> {
      const host = random.pick(hosts)
      if (hosts.some(({ isLost }) => isLost)) return null
      happened.burnt++
      host.isLost = true
      await host.agent.breakOff()
      await inTx(world.db, (tx) => moveHost(tx, administrator, { id: host.id, status: 'LOST' }, world.now()))
      return host.id
    },
    /** As a new machine, under its old name. */
    async replace(administrator: User): Promise<void> {
      for (const host of hosts.filter(({ isLost }) => isLost)) {
        const made = await inTx(world.db, (tx) => renewEnrolment(tx, administrator, host.id, world.now()))
        const told = { hypervisor: 'simulated', hypervisorVersion: '1', ...capacity } as const
        const identity = { ...host.agent.me(), hostname: 'new', capacity: told, enrolmentToken: made.token }
        const { hostToken } = await inTx(world.db, (tx) => enrolHost(tx, identity, world.now()))
        Object.assign(host, { agent: agentOf(hostToken, host.agent), isLost: false })
      }
    },
    /** By the database's clock, too: retries are due, leases lost; of what is being done by a host that is there, at times. */
    async elapse() {
      await sql`update jobs set run_at = 'epoch' where status = 'QUEUED'`.execute(world.db)
      const kept = hosts.filter(isThere).flatMap(({ agent }) => agent.running().filter(() => random.chance(0.8)))
      await sql`update jobs set lease_until = 'epoch' where status = 'RUNNING' and id <> all(${kept}::uuid[])`.execute(
        world.db,
      )
    },
    async work() {
      for (const host of hosts) await turn(host)
      await expectNoneTwice()
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
