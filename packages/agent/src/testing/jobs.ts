import { randomUUID } from 'node:crypto'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload, JobStep } from '@vps/shared/jobs.contract'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Access, Hypervisor } from '../hypervisor/hypervisor.js'
import type { Fault } from '../hypervisor/simulated/faults.js'
import type { Limits } from '../jobs/handler.js'
import { runJob } from '../jobs/run-job.js'
import { openMemory } from '../memory.js'
import { putFaults, quickHost, quickLimits, quietPresence, temporaryFolder } from './agent.js'
import { freezeAt } from './freeze.js'
import { machine } from './machines.js'

export const password = 'Correct-Horse-1'
export const install: JobPayload = { kind: 'install', machine: machine() }

const repository = { url: '/backups', password: 'Of-The-Repository-1', environment: {}, uploadLimitKib: 0 }

type JobOptions = { generation?: number; secret?: string | null; jobId?: string }
type RunOptions = JobOptions & {
  earlier?: JobStep[]
  hypervisor?: Hypervisor
  limits?: Partial<Limits>
  signal?: AbortSignal
}

/** One server on its simulated host; jobs run as by a freshly started agent. */
export function setUpJobs() {
  let folder: ReturnType<typeof temporaryFolder>
  let serverId: string
  beforeEach(() => {
    folder = temporaryFolder()
    serverId = randomUUID()
  })
  afterEach(() => folder.remove())

  const host = () => quickHost(folder.path)
  const memory = () => openMemory(folder.path)
  const generationOf = ({ generation = 1 }: JobOptions) => ({ epoch: 1, number: generation })
  const jobOf = (payload: JobPayload, options: JobOptions): ClaimedJob => ({
    id: options.jobId ?? randomUUID(),
    serverId,
    attempt: 1,
    leaseSeconds: 40,
    generation: generationOf(options),
    payload,
    repository,
    secrets: options.secret === null ? null : { password: options.secret ?? password },
  })
  const depsOf = (hypervisor: Hypervisor, limits: Limits) => ({
    hypervisor,
    presence: quietPresence(hypervisor),
    memory: memory(),
    limits,
  })

  /** Knows only the disk and the journal's steps; `told`: all told to the journal. */
  async function run(payload: JobPayload, options: RunOptions = {}) {
    const told: { steps: JobStep[]; percentage: number }[] = []
    const deps = depsOf(options.hypervisor ?? host(), { ...quickLimits, ...options.limits })
    const signal = options.signal ?? new AbortController().signal
    const earlier = options.earlier ?? []
    const result = await runJob(jobOf(payload, options), earlier, deps, signal, async (steps, percentage) => {
      told.push({ steps, percentage })
    })
    return { result, told, steps: told.at(-1)?.steps ?? earlier }
  }

  /** Kills the job at one verb, which takes effect or not. Gives the journal's steps. */
  async function killedAt(
    payload: JobPayload,
    verb: keyof Hypervisor,
    when: 'before' | 'after',
    options: JobOptions = {},
  ): Promise<JobStep[]> {
    const { hypervisor, reachedIn } = freezeAt(host(), verb, when)
    let steps: JobStep[] = []
    const limits = { ...quickLimits, actMs: 2 ** 30, bootMs: 2 ** 30, loginMs: 2 ** 30 }
    const signal = new AbortController().signal
    const job = runJob(jobOf(payload, options), [], depsOf(hypervisor, limits), signal, async (now) => {
      steps = now
    })
    await reachedIn(job)
    return steps
  }

  const found = () => host().find(serverId)

  async function logIn(secret: string, generation = 1): Promise<void> {
    const { access } = await found()
    const hostKey = await memory().hostKeyOf(serverId, { epoch: 1, number: generation })
    await host().tryLogin(serverId, access as Access, secret, hostKey as string)
  }

  return {
    run,
    killedAt,
    host,
    found,
    memory,
    logIn,
    faults: (...all: Fault[]) => putFaults(folder.path, ...all),
    get serverId() {
      return serverId
    },

    async expectInstalled(generation: number, port: number, secret: string): Promise<void> {
      const made = { epoch: 1, number: generation }
      expect(await found()).toMatchObject({
        power: 'on',
        autostart: true,
        definedBy: made,
        disks: [made],
        seeds: [],
        access: { port },
      })
      await logIn(secret, generation)
    },
  }
}

/** A few verbs do otherwise; `acts`: the verbs used, in order. */
export function watch(real: Hypervisor, otherwise: Partial<Hypervisor> = {}) {
  const acts: string[] = []
  const looks = new Set(['find', 'checkPresence', 'requireStart', 'hashPassword'])
  const hypervisor = new Proxy<Hypervisor>(
    { ...real, ...otherwise },
    {
      get(target, name: keyof Hypervisor) {
        const verb = target[name] as unknown
        if (typeof verb !== 'function' || looks.has(name)) return verb
        return (...given: unknown[]) => {
          acts.push(name)
          return (verb as (...all: unknown[]) => unknown)(...given)
        }
      },
    },
  )
  return { hypervisor, acts }
}
