import type { ClaimedJob } from '@vps/shared/agent.contract'
import { yieldingKinds } from '@vps/shared/jobs'
import { sql } from 'kysely'
import type { User } from '../../packages/api/src/actor.js'
import { inTx } from '../../packages/api/src/db/tx.js'
import { enrolHost } from '../../packages/api/src/fleet/hosts.js'
import { moveHost, renewEnrolment } from '../../packages/api/src/fleet/manage-hosts.js'
import { hostAgent } from '../../packages/api/src/testing/host.js'
import { addHost, type Shop } from '../../packages/api/src/testing/shop.js'
import type { Random } from './random.js'
import type { World } from './world.js'

/** Of disks and copies: they touch no power. */
const readers: readonly string[] = yieldingKinds

type Machine = { power: 'on' | 'off'; generation: ClaimedJob['generation']; mac: string }

/** They fail, go away, forget to answer and answer twice. */
export async function openHosts(world: World, shop: Shop, random: Random, count: number, servers: number) {
  const hosts = await Promise.all(
    Array.from({ length: count }, async (_one, n) => {
      const options = { name: `host-${n}`, network: `10.${20 + n}.0`, servers, addresses: 200 }
      const { id, token } = await addHost(world.floor, shop, options)
      const machines = new Map<string, Machine>()
      return { id, token, agent: hostAgent(world.floor, token), machines, awayUntil: 0, isLost: false }
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
  const happened = { failed: 0, lost: 0, late: 0, away: 0, restarted: 0, burnt: 0 }
  const capacity = {
    hypervisor: 'simulated',
    hypervisorVersion: '1',
    cpuCores: servers * 2,
    memoryMb: servers * 4096,
    diskGb: servers * 40,
  } as const

  function runSshJob(host: Host, job: ClaimedJob): 'on' | 'off' | 'absent' {
    const machine = host.machines.get(job.serverId)
    if (job.payload.kind === 'destroy') {
      host.machines.delete(job.serverId)
      return 'absent'
    }
    const { payload, generation } = job
    const power = payload.kind === 'stop' ? 'off' : 'on'
    if (payload.kind === 'install' || payload.kind === 'reinstall' || payload.kind === 'restore') {
      host.machines.set(job.serverId, { power, generation, mac: payload.machine.network.mac })
    } else if (machine && !readers.includes(payload.kind)) machine.power = power
    return host.machines.get(job.serverId)?.power ?? 'absent'
  }

  async function serve(host: Host, job: ClaimedJob): Promise<void> {
    const fails = random.chance(0.06)
    if (fails) {
      happened.failed++
      const power = host.machines.get(job.serverId)?.power ?? 'absent'
      await host.agent.finish(job, { ok: false, final: random.chance(0.3), power })
      return
    }
    const power = runSshJob(host, job)
    if (random.chance(0.03)) {
      happened.lost++ // done, but unheard
      return
    }
    if (random.chance(0.02)) {
      happened.restarted++
      const before = host.agent
      host.agent = hostAgent(world.floor, host.token, host.agent)
      const again = await host.agent.claim([{ jobId: job.id, attempt: job.attempt }])
      if (again?.id === job.id) await host.agent.finish(again, { ok: true, power })
      else if (again) await serve(host, again)
      // The dead one cannot tell even what it had done.
      await before.finish(job, { ok: true, power }).catch(() => happened.late++)
      return
    }
    await host.agent.finish(job, { ok: true, power })
    if (random.chance(0.05)) {
      happened.late++
      await host.agent.finish(job, { ok: false, final: true })
    }
  }

  async function turn(host: Host): Promise<void> {
    if (host.isLost || host.awayUntil > world.now().getTime()) return
    for (let done = 0; done < 60; done++) {
      const job = await host.agent.claim()
      if (!job) break
      await serve(host, job)
    }
    await tell(host)
  }

  /** Only now do places go back to the pool. */
  async function tell(host: Host): Promise<void> {
    const machines = [...host.machines]
    const nothing = {
      cpuUsage: null,
      memoryUsage: null,
      diskUsage: null,
      uptimeSeconds: null,
      rxBytes: null,
      txBytes: null,
    }
    await host.agent.caller.report({
      ...host.agent.me,
      at: new Date().toISOString(),
      host: { cpuUsage: 1, memoryUsage: 1, diskUsage: 1, load1: 1 },
      domains: machines.map(([serverId, { power }]) => ({ serverId, power, ...nothing })),
    })
    await host.agent.inventory({
      capacity,
      domains: machines.map(([uuid, { power, generation, mac }]) => ({
        uuid,
        name: `vps-${uuid}`,
        power,
        generation,
        macs: [mac],
      })),
      volumes: machines.map(([uuid, { generation }]) => ({
        name: `${uuid}.${generation.epoch}.${generation.number}.qcow2`,
        bytes: 1,
      })),
    })
  }

  /** No two guests have one address. */
  async function expectNoneTwice(): Promise<void> {
    const migrating = await world.db
      .selectFrom('cold_migrations')
      .select('server_id')
      .where('ended_at', 'is', null)
      .execute()
    for (const { server_id } of migrating) {
      const running = hosts.filter(({ machines }) => machines.get(server_id)?.power === 'on')
      if (running.length > 1) throw new Error(`server ${server_id} runs on ${running.length} hosts`)
    }
  }

  return {
    happened,
    machines: () =>
      hosts.flatMap((host) => [...host.machines].map(([serverId, machine]) => ({ serverId, ...machine }))),
    recover: () => hosts.forEach((host) => (host.awayUntil = 0)),
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
      host.machines.clear()
      await inTx(world.db, (tx) => moveHost(tx, administrator, { id: host.id, status: 'LOST' }, world.now()))
      return host.id
    },
    /** As a new machine, under its old name. */
    async replace(administrator: User): Promise<void> {
      for (const host of hosts.filter(({ isLost }) => isLost)) {
        const made = await inTx(world.db, (tx) => renewEnrolment(tx, administrator, host.id, world.now()))
        const identity = { ...host.agent.me, hostname: 'new', capacity, enrolmentToken: made.token }
        const { hostToken } = await inTx(world.db, (tx) => enrolHost(tx, identity, world.now()))
        Object.assign(host, { token: hostToken, agent: hostAgent(world.floor, hostToken, host.agent), isLost: false })
      }
    },
    /** By the database's clock, too: retries are due, leases lost. */
    async elapse() {
      await sql`update jobs set run_at = 'epoch' where status = 'QUEUED'`.execute(world.db)
      await sql`update jobs set lease_until = 'epoch' where status = 'RUNNING'`.execute(world.db)
    },
    async work() {
      for (const host of hosts) await turn(host)
      await expectNoneTwice()
    },
  }
}
