import { randomUUID } from 'node:crypto'
import type { User } from '@vps/api/actor'
import type { Tx } from '@vps/api/db/client'
import { enrolHost } from '@vps/api/fleet/hosts'
import { createHost, renewEnrolment } from '@vps/api/fleet/manage-hosts'
import { createPool } from '@vps/api/fleet/pools'
import { createPastSamples } from '@vps/api/metrics/samples'
import { claimNext, finishWithResult } from '@vps/api/fulfilment/dispatch'
import { applyInventory } from '@vps/api/fleet/inventory'
import { protocolVersion } from '@vps/shared/agent'
import { inventoryInput } from '@vps/shared/agent.contract'
import { poolInput } from '@vps/shared/pools.contract'
import type { JobRow } from '@vps/api/jobs/claim'
import { isOpen } from '@vps/api/jobs/is-open'
import { images } from './catalogue.js'
import { installedMachines } from './machines.js'
import { hostSamples } from './measurements.js'

export type DemoHosts = Awaited<ReturnType<typeof createDemoHosts>>
type Options = { enrolmentTokens: readonly string[]; isSimulated: boolean; opened: Date; now: Date }

/** Three such hosts have room for 1,000 of the smallest more. */
const capacity = {
  hypervisor: 'simulated' as const,
  hypervisorVersion: 'simulated 1',
  cpuCores: 128,
  memoryMb: 786_432,
  diskGb: 16_000,
}
/** The agent may come late. */
const enrolmentHours = 10 * 365 * 24

/** One for each token, or a single one. In the past this program does the agents' work. */
export async function createDemoHosts(tx: Tx, admin: User, groupIds: string[], options: Options) {
  const { opened, now, isSimulated, enrolmentTokens } = options
  const network = { network: '10.66.0.0/20', gateway: '10.66.0.1', dns: ['223.5.5.5', '119.29.29.29'] }
  const poolId = await createPool(tx, admin, poolInput.parse({ name: '演示地址池', ...network }), opened)
  const hosts: Host[] = []
  for (let n = 1; n <= Math.max(1, enrolmentTokens.length); n++) {
    const name = `demo-host-${n}`
    const settings = { name, groupIds, poolIds: [poolId], cpuOvercommit: 4, reservedMemoryMb: 16_384, bridge: null }
    const { id, token } = await createHost(tx, admin, settings, opened)
    const instanceId = randomUUID()
    const identity = { protocol: protocolVersion, agentVersion: 'demo', machineId: name, instanceId, before: [] }
    hosts.push({ id, identity })
    if (!isSimulated) continue
    await enrolHost(tx, { ...identity, enrolmentToken: token, hostname: name, capacity }, opened)
    await createPastSamples(tx, id, hostSamples(now, n), now)
  }

  /** `strays` are unknown domains, on the last host. */
  async function takeStock(at: Date, strays: readonly string[] = []): Promise<void> {
    const machines = await installedMachines(tx)
    for (const { id, identity } of hosts) {
      const here = machines.filter(({ hostId }) => hostId === id)
      const foreign = id === hosts.at(-1)?.id ? strays : []
      await applyInventory(tx, id, inventoryOf(identity, here, foreign), at)
    }
  }

  /** Within half a minute of the asking. */
  async function work(at: Date): Promise<void> {
    let destroyed = false
    const busy = await tx.selectFrom('jobs').select('host_id').distinct().where(isOpen()).execute()
    for (const { host_id: id } of busy) {
      const instanceId = hosts.find((host) => host.id === id)?.identity.instanceId ?? nobody
      if (id !== null && !isSimulated) continue
      for (;;) {
        const job = await claimNext(tx, id, instanceId, after(at, 2))
        if (!job) break
        const result = { ok: true as const, power: powerAfter(job), proven: true }
        const report = { jobId: job.id, attempt: job.attempt, steps: [], percentage: 100, result }
        await finishWithResult(tx, id, report, after(at, 2 + secondsOf(job)))
        destroyed ||= job.kind === 'destroy'
      }
    }
    if (destroyed) await takeStock(at)
  }

  if (isSimulated) await takeStock(opened)
  return {
    isSimulated,
    work,
    takeStock,
    /** In the hosts' order. */
    machines: async () => {
      const all = await installedMachines(tx)
      return hosts.map(({ id }) => all.filter(({ hostId }) => hostId === id))
    },
    /** Then each host is its agent's. */
    handOver: async () => {
      if (isSimulated) await takeStock(now)
      for (const [n, { id }] of hosts.entries())
        await renewEnrolment(tx, admin, id, now, { token: enrolmentTokens[n], validHours: enrolmentHours })
    },
  }
}

type Host = {
  id: string
  identity: { protocol: number; agentVersion: string; machineId: string; instanceId: string; before: string[] }
}
type Machine = Awaited<ReturnType<typeof installedMachines>>[number]

/** For dedicated servers. */
const nobody = randomUUID()

function inventoryOf(identity: Host['identity'], machines: readonly Machine[], strays: readonly string[]) {
  const domain = (uuid: string) => ({ uuid, name: `vps-${uuid}` })
  return inventoryInput.parse({
    ...identity,
    beganAt: new Date(Date.now() + 60_000).toISOString(),
    capacity,
    images: images.map(({ file }) => ({ file, bytes: 1 })),
    domains: [
      ...machines.map(({ serverId, power, generation, mac }) => ({
        ...domain(serverId),
        power,
        generation,
        macs: [mac],
      })),
      ...strays.map((uuid) => ({ ...domain(uuid), power: 'on', generation: null, macs: [] })),
    ],
    volumes: machines.map(({ serverId, generation: { epoch, number } }) => ({
      name: `${serverId}.${epoch}.${number}.qcow2`,
      bytes: 1,
    })),
  })
}

const after = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000)

const secondsOf = (job: JobRow) => (job.kind === 'install' ? 24 + (job.id.charCodeAt(35) % 16) : 3)

function powerAfter({ kind }: JobRow) {
  if (kind === 'destroy') return 'absent' as const
  return kind === 'stop' ? ('off' as const) : ('on' as const)
}
