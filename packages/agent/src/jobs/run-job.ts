import { storable } from '@vps/shared/storable'
import * as text from '@vps/shared/text'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobResult, JobStep } from '@vps/shared/jobs.contract'
import { withDeadline } from '../deadline.js'
import { type Found, type Hypervisor, HypervisorAway, HypervisorError } from '../hypervisor/hypervisor.js'
import type { Memory } from '../memory.js'
import type { Presence } from '../presence.js'
import type { Handler, JobContext, Limits, Step } from './handler.js'
import { handlerOf } from './handlers.js'
import { Stopped } from './stopped.js'

export type JobDeps = { hypervisor: Hypervisor; presence: Presence; memory: Memory; limits: Limits }

/**
 * Read, plan, steps, read again, check. `progress` is awaited: it writes the journal. Waits for an absent hypervisor,
 * and begins anew. Null: nothing to report (lease lost, agent ending).
 */
export async function runJob(
  job: ClaimedJob,
  earlier: readonly JobStep[],
  deps: JobDeps,
  signal: AbortSignal,
  progress: (steps: JobStep[], percentage: number) => Promise<void>,
): Promise<JobResult | null> {
  const handler = handlerOf(job.payload)
  if (!handler)
    return failure(new HypervisorError('unsupported kind of job', { final: true, customer: '不支持' }), unread, job)
  const tracker = new StepTracker(handler.steps, earlier, progress)
  const undoable: { context: JobContext | null } = { context: null }
  try {
    return await patiently(deps, signal, tracker, () => tryOnce(job, handler, deps, signal, tracker, undoable))
  } catch (error) {
    const stopped = signal.aborted && signal.reason instanceof Stopped ? signal.reason : null
    if (stopped?.why === 'lost' || stopped?.why === 'shutdown') {
      await tracker.catchUp()
      return null
    }
    await tracker.fail()
    const undone = undoable.context && handler.undo ? await undo(handler.undo, undoable.context) : ''
    return failure(error, await stateOf(deps, job), job, stopped !== null, tracker.current, undone)
  }
}

async function tryOnce(
  job: ClaimedJob,
  handler: Handler,
  deps: JobDeps,
  signal: AbortSignal,
  tracker: StepTracker,
  undoable: { context: JobContext | null },
): Promise<JobResult> {
  const { hypervisor, memory, limits } = deps
  if (!(await memory.admit(job.serverId, job.generation))) {
    const old = new HypervisorError('a newer generation was ordered before', {
      final: true,
      customer: '任务已被更新的任务取代',
    })
    return failure(old, await stateOf(deps, job), job)
  }
  signal.throwIfAborted()
  // Its first word starts the beats, which keep the lease: a slow hypervisor's answers would outlast it.
  await tracker.announce()
  const context: JobContext = {
    job,
    hypervisor,
    memory,
    limits,
    signal,
    found: await hypervisor.find(job.serverId),
    proven: await memory.isProven(job.serverId, job.generation),
    hostKey:
      job.payload.kind === 'enterRescue'
        ? await memory.rescueKeyOf(job.serverId, job.payload.rescueId)
        : await memory.hostKeyOf(job.serverId, job.generation),
    done: tracker.done(),
    tell: (share) => tracker.tell(share),
  }
  // What was there first, not half done.
  undoable.context ??= context
  await runSteps(handler, context, tracker)
  const found = await hypervisor.find(job.serverId)
  const problem = handler.check(context, found)
  if (problem !== null) throw new HypervisorError(`check failed: ${problem}`)
  return {
    ok: true,
    power: found.power,
    proven: handler.proves(context),
    ...sizeTold(job, found),
    ...handler.tells?.(),
  }
}

/** Begins anew whenever the hypervisor was away, once it is back. */
async function patiently(
  { presence, limits }: JobDeps,
  signal: AbortSignal,
  tracker: StepTracker,
  act: () => Promise<JobResult>,
): Promise<JobResult> {
  const end = performance.now() + limits.awayMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const away = error instanceof HypervisorAway || (await presence.look()) !== null
      if (!away || signal.aborted || performance.now() >= end) throw error
    }
    await tracker.announce()
    await presence.untilBack(signal, end)
  }
}

async function runSteps(handler: Handler, context: JobContext, tracker: StepTracker): Promise<void> {
  const needed = handler.plan(context)
  if (needed.has('startMachine')) await context.hypervisor.requireStart()
  for (const step of handler.steps) {
    context.signal.throwIfAborted()
    if (!needed.has(step.name)) {
      tracker.skip(step)
      continue
    }
    await tracker.begin(step)
    await withDeadline(() => step.run(context), limitsOf(step, context), step.name)
    tracker.end(step)
  }
  await tracker.catchUp()
}

/** An end is told with the next beginning: the machine shows both. */
class StepTracker {
  private readonly steps: JobStep[]
  private isBehind = false
  current: Step | null = null
  private share = 0
  constructor(
    private readonly all: readonly Step[],
    earlier: readonly JobStep[],
    private readonly progress: (steps: JobStep[], percentage: number) => Promise<void>,
  ) {
    this.steps = all.map(({ name, label }) => {
      const before = earlier.find((step) => step.name === name)
      return before?.status === 'done'
        ? { ...before }
        : { name, label, status: 'pending', startedAt: null, finishedAt: null }
    })
  }

  done(): ReadonlySet<string> {
    return new Set(this.steps.filter((step) => step.status === 'done').map((step) => step.name))
  }

  async announce(): Promise<void> {
    this.isBehind = false
    await this.progress(structuredClone(this.steps), this.percentage())
  }

  async catchUp(): Promise<void> {
    if (this.isBehind) await this.announce()
  }

  async begin(step: Step): Promise<void> {
    this.current = step
    this.share = 0
    this.change(step.name, { status: 'running', startedAt: new Date().toISOString(), finishedAt: null })
    await this.announce()
  }

  /** Each is written down: only where the percentage changes. */
  async tell(share: number): Promise<void> {
    const before = this.percentage()
    this.share = share
    if (this.percentage() !== before) await this.announce()
  }

  end(step: Step): void {
    this.change(step.name, { status: 'done', finishedAt: new Date().toISOString() })
  }

  skip(step: Step): void {
    const at = new Date().toISOString()
    if (this.find(step.name)?.status !== 'done')
      this.change(step.name, { status: 'done', startedAt: at, finishedAt: at })
  }

  async fail(): Promise<void> {
    const running = this.steps.find((step) => step.status === 'running')
    if (running) this.change(running.name, { status: 'failed', finishedAt: new Date().toISOString() })
    await this.catchUp()
  }

  private find(name: string): JobStep | undefined {
    return this.steps.find((step) => step.name === name)
  }

  private change(name: string, change: Partial<JobStep>): void {
    const step = this.find(name)
    if (step) Object.assign(step, change)
    this.isBehind = true
  }

  private percentage(): number {
    const done = this.done()
    const total = this.all.reduce((sum, step) => sum + step.weight, 0)
    const reached = this.all.reduce((sum, step) => sum + (done.has(step.name) ? step.weight : 0), 0)
    const running = this.current && !done.has(this.current.name) ? this.current.weight * this.share : 0
    return Math.floor((100 * (reached + running)) / total)
  }
}

function limitsOf(step: Step, { limits }: JobContext) {
  const limitMs = step.limit === 'own' ? Number.POSITIVE_INFINITY : limits[step.limit ?? 'actMs']
  return { limitMs, graceMs: limits.actMs }
}

async function undo(act: (context: JobContext) => Promise<void>, context: JobContext): Promise<string> {
  try {
    const { actMs } = context.limits
    await withDeadline(() => act(context), { limitMs: actMs, graceMs: actMs }, 'undo')
    return ''
  } catch (error) {
    return `; undoing failed too: ${textOf(error)}`
  }
}

type State = Pick<Found, 'power' | 'size' | 'addresses'> & { delivered?: boolean }
const unread: State = { power: 'unknown', size: null, addresses: [] }

async function stateOf({ hypervisor, memory }: JobDeps, job: ClaimedJob): Promise<State> {
  try {
    const { power, size, addresses } = await hypervisor.find(job.serverId)
    const delivered = job.payload.kind === 'install' && (await memory.wasDelivered(job.serverId, job.generation))
    return { power, size, addresses, delivered }
  } catch {
    return unread
  }
}

/** Whether a machine whose resize failed is as it was. */
function sizeTold(job: ClaimedJob, { size, addresses }: State): Pick<JobResult, 'size' | 'admitted'> {
  if (job.payload.kind !== 'resize' || !size) return {}
  const told = { size: { cpuCores: size.cpuCores, memoryMb: size.memoryMb } }
  return job.payload.network ? { ...told, admitted: addresses } : told
}

function failure(
  error: unknown,
  state: State,
  job: ClaimedJob,
  aborted = false,
  step: Step | null = null,
  more = '',
): JobResult {
  const known = error instanceof HypervisorError ? error : null
  const detail = `${step ? `${step.name}: ` : ''}${textOf(error)}${more}`
  // Nothing should hold the password; should a program print it, it ends here.
  const clean = job.secrets ? detail.replaceAll(job.secrets.password, '***') : detail
  return {
    ok: false,
    message: aborted ? '操作已中止' : (known?.customer ?? reasonIn(error) ?? labelled(step)),
    // What the API refuses would be reported for ever; a guest may say anything.
    detail: storable(clean.slice(0, 4000)),
    final: known?.final ?? false,
    aborted,
    power: state.power,
    ...sizeTold(job, state),
    ...(state.delivered ? { delivered: true } : {}),
    ...(known?.unbootable ? { unbootable: known.unbootable } : {}),
  }
}

/** As Node.js and programs in their fixed language say it, on whatever of a host's disks. */
const reasonIn = (error: unknown) =>
  /ENOSPC|No space left on device|Disk quota exceeded/.test(textOf(error)) ? text.storageFull : null

const labelled = (step: Step | null) => (step ? `${step.label}失败` : text.operationFailed)

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
