import { mkdirSync } from 'node:fs'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobResult, JobStep } from '@vps/shared/jobs.contract'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { Stopped } from '../../packages/agent/src/jobs/stopped.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { putFaults, quickHost, quickLimits, quietPresence } from '../../packages/agent/src/testing/agent.js'
import { hostAgent } from '../../packages/api/src/testing/host.js'
import type { Random } from './random.js'
import type { World } from './world.js'

type Entry = { job: ClaimedJob; steps: JobStep[]; percentage: number; result: JobResult | null }
type Slow = { stop: AbortController; goOn: () => void; ended: Promise<void> }

/** Of the hypervisor; those after the bar are not looked at afterwards, so no one may claim them undone. */
const [checked, unchecked] = [
  'verifyImage createDisk createSeed define start setAutostart awaitBoot tryLogin removeSeed askShutdown cutPower resize admitAddresses remove takeSnapshot revertTo deleteSnapshot createRescue enterRescue leaveRescue insertIso ejectIso applyFirewall restoreDisk removeOthers takeIdentity',
  'takeAddresses setPassword insertPassword removeFirewall backUp deleteBackup',
].map((line) => line.split(' ')) as [string[], string[]]

export type Agent = { me: () => ReturnType<typeof hostAgent>['me'] }
export const noMisfortunes = { faulty: 0, killed: 0, unheard: 0, answerLost: 0, slow: 0, calledOff: 0, refused: 0 }

type Capacity = { cpuCores: number; memoryMb: number; diskGb: number }
type Options = {
  dir: string
  backupsDir: string
  token: string
  capacity: Capacity
  happened: typeof noMisfortunes
  /** What was this host before. */
  before?: Agent
}

/**
 * An agent's own handlers, journal and simulated hypervisor, without its loops and its time: whoever drives it says
 * when. Acts fail, half done or unheard of; it is killed at any step, and goes on from its journal; some take longer
 * than a look.
 */
export function openAgent(world: World, random: Random, { dir, token, happened, ...options }: Options) {
  mkdirSync(dir, { recursive: true })
  const hypervisor = quickHost(dir, { backupsDir: options.backupsDir, ...options.capacity })
  const deps = { hypervisor, presence: quietPresence(hypervisor), memory: openMemory(dir), limits: quickLimits }
  const journal = new Map<string, Entry>()
  /** In the midst of a step until the next turn. */
  const slow = new Map<string, Slow>()
  let api = hostAgent(world.floor, token, options.before && { me: options.before.me() })
  let isCalm = false
  const happens = (chance: number) => random.chance(isCalm ? 0 : chance)

  /** Nothing of what ran is left but the journal. */
  async function breakOff(): Promise<void> {
    for (const [id, { stop, goOn, ended }] of slow) {
      slow.delete(id)
      stop.abort(new Stopped('shutdown'))
      goOn()
      await ended
    }
  }

  async function killed(): Promise<void> {
    happened.killed++
    await breakOff()
    api = hostAgent(world.floor, token, api)
    for (const entry of journal.values()) if (entry.result) await report(entry)
  }

  async function run(job: ClaimedJob): Promise<void> {
    const before = journal.get(job.id)
    if (before?.result?.ok) return report({ ...before, job })
    const entry: Entry = { job, steps: before?.steps ?? [], percentage: before?.percentage ?? 0, result: null }
    journal.set(job.id, entry)
    if (happens(0.15)) {
      happened.faulty++
      const kind = random.pick(['fail', 'half', 'lose', 'lie'] as const)
      putFaults(dir, { verb: random.pick(kind === 'lie' ? checked : [...checked, ...unchecked]), kind })
    }
    const endsAt = happens(0.05) ? random.between(1, 6) : 0
    const restsAt = happens(0.1) ? random.between(1, 6) : 0
    const stop = new AbortController()
    let told = 0
    let rest: (goOn: () => void) => void = () => {}
    const resting = new Promise<() => void>((resolve) => (rest = resolve))
    const ended = runJob(job, entry.steps, deps, stop.signal, async (steps, percentage) => {
      Object.assign(entry, { steps, percentage })
      told++
      if (stop.signal.aborted) return
      if (told === restsAt) await new Promise<void>(rest)
      if (stop.signal.aborted) return
      if (told === restsAt || random.chance(0.6)) await beat(entry, stop)
      if (told === endsAt) stop.abort(new Stopped('shutdown'))
    }).then((result) => conclude(entry, result, stop.signal.reason, told === endsAt))
    const goOn = await Promise.race([ended, resting])
    if (!goOn) return
    happened.slow++
    slow.set(job.id, { stop, goOn, ended })
  }

  async function beat({ job, steps, percentage }: Entry, stop: AbortController): Promise<void> {
    const reply = await api.caller.beat({ ...api.me, jobId: job.id, attempt: job.attempt, steps, percentage })
    if (reply.abort) happened.calledOff++
    const why = reply.lost ? 'lost' : reply.overtaken ? 'overtaken' : reply.abort ? 'abort' : null
    if (why && !stop.signal.aborted) stop.abort(new Stopped(why))
  }

  async function conclude(entry: Entry, result: JobResult | null, reason: unknown, isEnd: boolean): Promise<void> {
    putFaults(dir)
    if (result === null) {
      if (!(reason instanceof Stopped) || reason.why !== 'shutdown') journal.delete(entry.job.id)
      else if (isEnd) await killed()
      return
    }
    entry.result = result
    if (!happens(0.03)) return report(entry)
    happened.unheard++
    await killed()
  }

  async function report({ job, steps, percentage, result }: Entry): Promise<void> {
    if (!result) return
    const told = { ...api.me, jobId: job.id, attempt: job.attempt, steps, percentage: result.ok ? 100 : percentage }
    const { accepted } = await api.caller.finish({ ...told, result })
    // Its answer was lost: told again.
    if (happens(0.05)) await api.caller.finish({ ...told, result })
    if (!accepted) happened.refused++
    // Handed out again, what has come about is at hand.
    if (accepted || !result.ok) journal.delete(job.id)
  }

  return {
    me: () => api.me,
    find: (serverId: string) => hypervisor.find(serverId),
    domains: async () => (await hypervisor.inventory()).domains,
    /** From now on all goes well. */
    calm: () => void (isCalm = true),
    running: () => [...slow.keys()],
    breakOff,

    async work(): Promise<void> {
      for (const [id, { goOn, ended }] of slow) {
        slow.delete(id)
        goOn()
        await ended
      }
      for (let done = 0; done < 60; done++) {
        const running = [...journal.values()].map(({ job }) => ({ jobId: job.id, attempt: job.attempt }))
        const job = await api.claim(running.slice(-64))
        if (!job) break
        if (happens(0.05)) happened.answerLost++
        else await run(job)
      }
    },

    /** Only now do places go back to the pool. */
    async tell(): Promise<void> {
      const [host, domains] = await Promise.all([hypervisor.measureHost(), hypervisor.measure()])
      await api.caller.report({ ...api.me, at: new Date().toISOString(), host, domains })
      await api.inventory({ capacity: await hypervisor.capacity(), ...(await hypervisor.inventory()) })
    },
  }
}
