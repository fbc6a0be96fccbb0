import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JournalEntry } from './journal.js'
import { Run, type RunDeps } from './run.js'

/** Not handed out again so long, it is over for us; the API's sweep knows better. */
const keepMs = 10 * 60 * 1000

export type LanesDeps = RunDeps & {
  size: number
  onFatal: (error: unknown) => void
  onEnded: (run: Run) => void
}

/** One lane per server, a few in all. A forced stop or a destroy aborts what runs. */
export class Lanes {
  private readonly runs = new Map<string, Run>()
  private readonly tails = new Map<string, Promise<void>>()
  /** Of an earlier process, or refused: for when the job comes again. */
  private readonly kept = new Map<string, { entry: JournalEntry; untilMs: number }>()
  private readonly shutdown = new AbortController()

  constructor(private readonly deps: LanesDeps) {}

  get free(): number {
    return Math.max(0, this.deps.size - this.runs.size)
  }

  holding(): { jobId: string; attempt: number }[] {
    this.forgetOld()
    const running = [...this.runs.values()].map(({ jobId, attempt }) => ({ jobId, attempt }))
    const kept = [...this.kept.values()].map(({ entry }) => ({ jobId: entry.jobId, attempt: entry.attempt }))
    return [...running, ...kept].slice(0, 64)
  }

  /** Delivers owed reports; the rest waits to be handed out again. */
  recover(entries: JournalEntry[]): void {
    for (const entry of entries) {
      this.deps.log.info({ job: entry.jobId, kind: entry.kind, ended: entry.result !== null }, 'found in the journal')
      if (entry.result) this.launch(new Run(this.deps, null, entry))
      else this.keep(entry)
    }
  }

  accept(job: ClaimedJob): void {
    const running = this.runs.get(job.id)
    // One whose lease was lost, or whose old attempt's report counts no more, is on its way out: the next one waits
    // behind it.
    if (running && !running.isLost && !running.owesFailure) {
      this.deps.log.info({ job: job.id, attempt: job.attempt }, 'carrying on under a new attempt number')
      void running.adopt(job.attempt).catch(this.deps.onFatal)
      return
    }
    const earlier = this.kept.get(job.id)?.entry ?? null
    this.kept.delete(job.id)
    if (jumps(job)) {
      for (const other of this.runs.values()) if (other.serverId === job.serverId) other.interrupt('overtaken')
    }
    this.launch(new Run(this.deps, job, earlier))
  }

  async stop(): Promise<void> {
    this.shutdown.abort()
    await Promise.all(this.tails.values())
  }

  private launch(run: Run): void {
    this.runs.set(run.jobId, run)
    const before = this.tails.get(run.serverId) ?? Promise.resolve()
    const tail = before.then(() => this.carryThrough(run))
    this.tails.set(run.serverId, tail)
    void tail.then(() => {
      if (this.tails.get(run.serverId) === tail) this.tails.delete(run.serverId)
    })
  }

  private async carryThrough(run: Run): Promise<void> {
    try {
      const end = await run.execute(this.shutdown.signal)
      // The lease had lapsed: when the job comes again, its result is at hand.
      if (end === 'refused' && run.journalled.result?.ok) this.keep(run.journalled)
    } catch (error) {
      this.deps.onFatal(error)
    } finally {
      if (this.runs.get(run.jobId) === run) this.runs.delete(run.jobId)
      this.deps.onEnded(run)
    }
  }

  private keep(entry: JournalEntry): void {
    this.kept.set(entry.jobId, { entry, untilMs: performance.now() + keepMs })
  }

  private forgetOld(): void {
    for (const [jobId, { untilMs }] of this.kept) {
      if (performance.now() < untilMs) continue
      this.kept.delete(jobId)
      void this.deps.journal
        .remove(jobId)
        .catch((error: unknown) => this.deps.log.warn({ job: jobId, err: error }, 'the journal cannot be cleared'))
    }
  }
}

function jumps({ payload }: ClaimedJob): boolean {
  return payload.kind === 'destroy' || (payload.kind === 'stop' && payload.force)
}
