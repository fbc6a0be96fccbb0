import { randomUUID } from 'node:crypto'
import { protocolVersion } from '@vps/shared/agent'
import type { ClaimedJob, InventoryTold } from '@vps/shared/agent.contract'
import { connectApi } from '../../packages/agent/src/api.js'
import type { JobResult } from '@vps/shared/jobs.contract'
import type { Customer } from './customer.js'
import type { Product } from './product.js'

export const done = (power: 'on' | 'off' | 'absent'): JobResult => ({ ok: true, power, proven: true })
export const failed: JobResult = {
  ok: false,
  message: '虚拟机没有响应',
  detail: 'virsh: timed out',
  final: true,
  aborted: false,
  power: 'on',
}

const capacity = {
  hypervisor: 'virsh',
  hypervisorVersion: '9.0.0',
  cpuCores: 8,
  memoryMb: 16_000,
  diskGb: 500,
} as const

const noFigures = {
  cpuUsage: null,
  memoryUsage: null,
  diskUsage: null,
  uptimeSeconds: null,
  rxBytes: null,
  txBytes: null,
}

export type HandHost = Awaited<ReturnType<typeof enrolByHand>>

/** A host whose agent the test plays, over the real wire. */
export async function enrolByHand(
  product: Product,
  admin: Customer,
  name: string,
  serves: { groupIds: string[]; poolIds: string[] } = { groupIds: [], poolIds: [] },
) {
  const made = await admin.call<{ id: string; token: string }>('POST', '/hosts', { name, ...serves })
  let token: string | null = null
  const api = connectApi(product.url, () => token)
  const me = { protocol: protocolVersion, agentVersion: 'test', machineId: randomUUID(), instanceId: randomUUID() }
  const enrolled = await api.enrol.mutate({
    ...me,
    enrolmentToken: made.body.data.token,
    hostname: name,
    capacity,
  })
  token = enrolled.hostToken
  // What it was given and does not name would be given to it again.
  const taken: { jobId: string; attempt: number }[] = []
  return {
    id: made.body.data.id,
    name,
    tell: (found: Partial<Pick<InventoryTold, 'capacity' | 'domains' | 'volumes' | 'images'>> = {}) =>
      api.inventory.mutate({
        ...me,
        beganAt: new Date().toISOString(),
        capacity,
        images: [],
        domains: [],
        volumes: [],
        ...found,
      }),
    /** On these machines, or that libvirt is away. */
    report: (found: { hung?: string[]; away?: boolean } = {}) =>
      api.report.mutate({
        ...me,
        at: new Date().toISOString(),
        host: { cpuUsage: 10, memoryUsage: 20, diskUsage: 30, load1: 1 },
        domains: (found.hung ?? []).map((serverId) => ({
          ...noFigures,
          serverId,
          power: 'unknown',
          condition: 'hung',
        })),
        away: found.away ? { kind: 'libvirt', detail: 'libvirt does not answer' } : null,
      }),
    async claim() {
      const { job } = await api.claim.mutate({ ...me, freeLanes: 1, waitSeconds: 25, running: taken })
      if (job) taken.push({ jobId: job.id, attempt: job.attempt })
      return job
    },
    finish: (job: ClaimedJob, result: JobResult) =>
      api.finish.mutate({
        ...me,
        jobId: job.id,
        attempt: job.attempt,
        steps: [],
        percentage: 100,
        result,
      }),
  }
}
