import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobResult } from '@vps/shared/jobs.contract'
import type { Logger } from 'pino'
import { type Api, isFatal, isTaken } from './api.js'
import type { Journal, JournalEntry } from './journal.js'
import { type JobDeps, runJob } from './jobs/run-job.js'
import { Stopped } from './jobs/stopped.js'
import { repeat } from './repeat.js'
import type { Identity } from './identity.js'
import { Backoff, following, pause } from './wait.js'

export type RunDeps = {
  api: Api
  identity: Identity
  journal: Journal
  job: JobDeps
  log: Logger
  beatMs: number
}

/** Reported and settled, refused (its lease was lost), or broken off without a report. */
export type RunEnd = 'settled' | 'refused' | 'lost' | 'shutdown'

/** From claim to accepted report: journal, beats, and the report until the API answered. */
export class Run {
  readonly jobId: string
  readonly serverId: string
  private readonly work = new AbortController()
  private entry: JournalEntry
  private beats: { nudge: () => void; ended: Promise<void> } | null = null

  constructor(
    private readonly deps: RunDeps,
    /** Null: only a report is owed. */
    private readonly job: ClaimedJob | null,
    earlier: JournalEntry | null,
  ) {
    const entry = job
      ? {
          jobId: job.id,
          serverId: job.serverId,
          kind: job.payload.kind,
          attempt: job.attempt,
          generation: job.generation,
          steps: earlier?.steps ?? [],
          percentage: earlier?.percentage ?? 0,
          result: earlier?.result ?? null,
        }
      : earlier
    if (!entry) throw new Error('a run needs a job or a journal entry')
    this.entry = entry
    this.jobId = this.entry.jobId
    this.serverId = this.entry.serverId
  }

  get attempt(): number {
    return this.entry.attempt
  }

  get kind(): JournalEntry['kind'] {
    return this.entry.kind
  }

  /** For a refused report, when the job comes again. */
  get journalled(): JournalEntry {
    return this.entry
  }

  get isLost(): boolean {
    const reason: unknown = this.work.signal.reason
    return reason instanceof Stopped && reason.why === 'lost'
  }

  /** Handed out anew, another try is wanted: the report of this one may have been taken unheard. */
  get owesFailure(): boolean {
    const { result } = this.entry
    return result !== null && !result.ok && !result.final && !result.aborted
  }

  async adopt(attempt: number): Promise<void> {
    this.entry = { ...this.entry, attempt }
    await this.writeDown()
    this.beats?.nudge()
  }

  interrupt(why: Stopped['why']): void {
    const reason: unknown = this.work.signal.reason
    // Called off before, it may be waiting for its guest.
    if (reason instanceof Stopped && why === 'overtaken') reason.overtake()
    this.work.abort(new Stopped(why))
  }

  async execute(shutdown: AbortSignal): Promise<RunEnd> {
    const { log } = this.deps
    const stop = () => this.interrupt('shutdown')
    shutdown.addEventListener('abort', stop, { once: true })
    if (shutdown.aborted) stop()
    try {
      await this.writeDown()
      if (this.entry.result === null && this.job) {
        const result = await this.carryOut(this.job)
        if (result === null) return this.brokenOff()
        log.info(
          { job: this.jobId, server: this.serverId, kind: this.kind, result },
          result.ok ? 'job done' : 'job failed',
        )
        this.entry = { ...this.entry, result, percentage: result.ok ? 100 : this.entry.percentage }
        await this.writeDown()
      }
      return await this.report(shutdown)
    } finally {
      shutdown.removeEventListener('abort', stop)
    }
  }

  /**
   * Not waited for where it cannot be: after a crash the job is as before, or handed out anew, harmlessly. No new ones
   * meanwhile (state-dir.ts).
   */
  private async writeDown(): Promise<void> {
    await this.deps.journal.write(this.entry).catch((error: unknown) => {
      this.deps.log.warn({ job: this.jobId, err: error }, 'the journal cannot be written')
    })
  }

  private async carryOut(job: ClaimedJob): Promise<JobResult | null> {
    const beating = new AbortController()
    const act = () => this.beat(beating.signal)
    this.deps.log.info(
      { job: job.id, server: job.serverId, kind: job.payload.kind, attempt: job.attempt },
      'job begins',
    )
    try {
      return await runJob(job, this.entry.steps, this.deps.job, this.work.signal, async (steps, percentage) => {
        this.entry = { ...this.entry, steps, percentage }
        await this.writeDown()
        this.beats ??= repeat({ everyMs: this.deps.beatMs, gapMs: 1000, signal: beating.signal, act })
        this.beats.nudge()
      })
    } finally {
      beating.abort()
      this.beats = null
    }
  }

  private async beat(signal: AbortSignal): Promise<void> {
    const { jobId, attempt, steps, percentage } = this.entry
    try {
      const input = { ...this.deps.identity, at: new Date().toISOString(), jobId, attempt, steps, percentage }
      const reply = await following([signal], (stop) => this.deps.api.beat.mutate(input, { signal: stop }))
      // An adopted job goes by its new attempt's beats.
      if (attempt !== this.entry.attempt) return
      if (reply.lost) this.interrupt('lost')
      else if (reply.overtaken) this.interrupt('overtaken')
      else if (reply.abort) this.interrupt('abort')
    } catch (error) {
      // Whoever holds this host now gets the job.
      if (isTaken(error)) this.interrupt('lost')
      else if (!signal.aborted)
        this.deps.log.warn({ job: jobId, err: error }, 'beat not answered; the next one follows')
    }
  }

  private async report(shutdown: AbortSignal): Promise<RunEnd> {
    const { api, identity, journal, log } = this.deps
    const backoff = new Backoff(500, 10_000)
    while (!shutdown.aborted) {
      const { jobId, attempt, steps, percentage, result } = this.entry
      if (result === null) throw new Error('there is no result to report')
      try {
        const at = new Date().toISOString()
        const input = { ...identity, at, jobId, attempt, steps, percentage, result }
        const { accepted } = await following([shutdown], (stop) => api.finish.mutate(input, { signal: stop }))
        if (!accepted && attempt !== this.entry.attempt) continue
        await journal.remove(jobId)
        return accepted ? 'settled' : 'refused'
      } catch (error) {
        if (shutdown.aborted) break
        if (isFatal(error)) throw error
        log.warn({ job: jobId, err: error }, 'report not taken; trying again')
        await pause(backoff.next(), shutdown)
      }
    }
    return 'shutdown'
  }

  private async brokenOff(): Promise<RunEnd> {
    if (this.isLost) {
      this.deps.log.warn({ job: this.jobId }, 'the lease is lost: stopped without a report')
      await this.deps.journal
        .remove(this.jobId)
        .catch((error: unknown) => this.deps.log.warn({ job: this.jobId, err: error }, 'the journal cannot be cleared'))
      return 'lost'
    }
    return 'shutdown'
  }
}
