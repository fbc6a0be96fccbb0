import { randomUUID } from 'node:crypto'
import type { User } from '@vps/api/actor'
import type { Tx } from '@vps/api/db/client'
import { enrolHost } from '@vps/api/fleet/hosts'
import { createHost, renewEnrolment } from '@vps/api/fleet/manage-hosts'
import { createPool } from '@vps/api/fleet/pools'
import { createPastSamples } from '@vps/api/metrics/samples'
import { claimNext, finishWithResult } from '@vps/api/fulfilment/dispatch'
import { applyHostInventory } from '@vps/api/servers/kvm/apply-inventory'
import { protocolVersion } from '@vps/shared/agent'
import { inventoryInput } from '@vps/shared/agent.contract'
import { poolInput } from '@vps/shared/pools.contract'
import type { JobRow } from '@vps/api/jobs/claim'
import { images } from './catalogue.js'
import { installedMachines } from './machines.js'
import { hostSamples } from './measurements.js'

export type DemoHost = Awaited<ReturnType<typeof createDemoHost>>
type Options = { enrolmentToken: string | null; seedFile: string | null; opened: Date; now: Date }

const capacity = {
  hypervisor: 'simulated' as const,
  hypervisorVersion: 'simulated 1',
  cpuCores: 2000,
  memoryMb: 4_194_304,
  diskGb: 100_000,
}
/** The agent may come late. */
const enrolmentHours = 10 * 365 * 24

/** Room for 1,000 of the smallest servers and a /20. In the past this program does the agent's work. */
export async function createDemoHost(tx: Tx, admin: User, groupIds: string[], options: Options) {
  const { opened, now, seedFile } = options
  const network = { network: '10.66.0.0/20', gateway: '10.66.0.1', dns: ['223.5.5.5', '119.29.29.29'] }
  const poolId = await createPool(tx, admin, poolInput.parse({ name: '演示地址池', ...network }), opened)
  const settings = {
    name: 'demo-host-1',
    groupIds,
    poolIds: [poolId],
    cpuOvercommit: 1,
    reservedMemoryMb: 0,
    bridge: null,
  }
  const { id, token } = await createHost(tx, admin, settings, opened)
  const identity = {
    protocol: protocolVersion,
    agentVersion: 'demo',
    machineId: 'demo-host-1',
    instanceId: randomUUID(),
    before: [],
  }
  const isSimulated = seedFile !== null

  /** Places whose machine was destroyed go back. */
  async function takeStock(at: Date): Promise<void> {
    const machines = await installedMachines(tx)
    const found = inventoryInput.parse({
      ...identity,
      beganAt: new Date(Date.now() + 60_000).toISOString(),
      capacity,
      images: images.map(({ file }) => ({ file, bytes: 1 })),
      domains: machines.map(({ serverId, power, generation, mac }) => ({
        uuid: serverId,
        name: `vps-${serverId}`,
        power,
        generation,
        macs: [mac],
      })),
      volumes: machines.map(({ serverId, generation: { epoch, number } }) => ({
        name: `${serverId}.${epoch}.${number}.qcow2`,
        bytes: 1,
      })),
    })
    await applyHostInventory(tx, id, found, at)
  }

  /** Within half a minute of the asking. */
  async function work(at: Date): Promise<void> {
    for (const hostId of isSimulated ? [id, null] : [null]) {
      for (;;) {
        const job = await claimNext(tx, hostId, identity.instanceId, after(at, 2))
        if (!job) break
        const result = { ok: true as const, power: powerAfter(job), proven: true }
        const report = { jobId: job.id, attempt: job.attempt, steps: [], percentage: 100, result }
        await finishWithResult(tx, hostId, report, after(at, 2 + secondsOf(job)))
      }
    }
    if (isSimulated) await takeStock(at)
  }

  if (isSimulated) {
    await enrolHost(tx, { ...identity, enrolmentToken: token, hostname: 'demo', capacity }, opened)
    await takeStock(opened)
    await createPastSamples(tx, id, hostSamples(now), now)
  }
  return {
    isSimulated,
    work,
    /** From here on the host is its agent's. */
    handOver: async () => {
      const renewal = { token: options.enrolmentToken ?? undefined, validHours: enrolmentHours }
      await renewEnrolment(tx, admin, id, now, renewal)
    },
  }
}

const after = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000)

/** No two take the same time. */
const secondsOf = (job: JobRow) => (job.kind === 'install' ? 24 + (job.id.charCodeAt(35) % 16) : 3)

function powerAfter({ kind }: JobRow) {
  if (kind === 'destroy') return 'absent' as const
  return kind === 'stop' ? ('off' as const) : ('on' as const)
}
