import { randomUUID } from 'node:crypto'
import { protocolVersion } from '@vps/shared/agent'
import type { Away, ClaimedJob, DomainReport, InventoryTold } from '@vps/shared/agent.contract'
import type { JobResult } from '@vps/shared/jobs.contract'
import { agentRouter } from '../http/agents/router.js'
import type { TestApp } from './app.js'

/** What a large host tells of itself. */
export const capacity = {
  hypervisor: 'simulated',
  hypervisorVersion: '1',
  cpuCores: 200,
  memoryMb: 400_000,
  diskGb: 40_000,
} as const

/** Driven by hand. `before`: its earlier start. */
export function hostAgent(test: Pick<TestApp, 'deps' | 'db'>, token: string, before?: { me: { instanceId: string } }) {
  const caller = agentRouter.createCaller({ deps: test.deps, db: test.db, now: test.deps.now, token })
  const me = {
    protocol: protocolVersion,
    agentVersion: 'test',
    machineId: 'machine-1',
    instanceId: randomUUID(),
    before: before ? [before.me.instanceId] : [],
  }
  // What it was given and does not name would be given to it again.
  const taken: { jobId: string; attempt: number }[] = []
  const agent = {
    caller,
    me,
    taken,
    async claim(running = taken.slice(-64)) {
      const { job } = await caller.claim({ ...me, freeLanes: 4, waitSeconds: 0, running })
      if (job) taken.push({ jobId: job.id, attempt: job.attempt })
      return job
    },
    beat: (job: ClaimedJob, percentage = 50) =>
      caller.beat({ ...me, jobId: job.id, attempt: job.attempt, steps: [], percentage }),
    finish: (job: ClaimedJob, result: Partial<JobResult> = {}) =>
      caller.finish({
        ...me,
        jobId: job.id,
        attempt: job.attempt,
        steps: [],
        percentage: 100,
        result: resultOf(result),
      }),
    async serve(result: Partial<JobResult> = {}) {
      const job = await agent.claim()
      if (job) await agent.finish(job, result)
      return job
    },
    inventory: (found: Partial<InventoryTold> = {}, beganAt = new Date(Date.now() + 60_000)) =>
      caller.inventory({
        ...me,
        beganAt: beganAt.toISOString(),
        capacity,
        images: [{ file: 'debian-12.qcow2', bytes: 1 }],
        domains: [],
        volumes: [],
        ...found,
      }),
    report: (serverId: string, power: 'on' | 'off' | 'unknown', change: Partial<DomainReport> = {}) =>
      caller.report({
        ...me,
        at: new Date().toISOString(),
        host: { cpuUsage: 10, memoryUsage: 20, diskUsage: 30, load1: 1 },
        domains: [
          {
            serverId,
            power,
            cpuUsage: 65,
            memoryUsage: 81,
            diskUsage: 10,
            uptimeSeconds: 100,
            rxBytes: 10,
            txBytes: 20,
            ...change,
          },
        ],
      }),
    reportAway: (kind: Away['kind']) =>
      caller.report({
        ...me,
        at: new Date().toISOString(),
        host: { cpuUsage: 10, memoryUsage: 20, diskUsage: 30, load1: 1 },
        domains: [],
        away: { kind, detail: 'test' },
      }),
  }
  return agent
}

function resultOf(result: Partial<JobResult>): JobResult {
  if (result.ok === false)
    return { ok: false, message: '安装失败', detail: 'test', final: false, aborted: false, power: 'off', ...result }
  return { ok: true, power: 'on', proven: true, ...result } as JobResult
}
