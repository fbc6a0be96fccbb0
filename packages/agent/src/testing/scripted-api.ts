import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { initTRPC, TRPCError } from '@trpc/server'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import * as contract from '@vps/shared/agent.contract'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobResult, JobStep } from '@vps/shared/jobs.contract'
import type * as z from 'zod'
import { freePort } from '../../../../tests/setup/free-port.js'
import { pause } from '../wait.js'

/**
 * A real tRPC server over HTTP: hands out a test's jobs, with the contract's leases and attempt numbers, and keeps what
 * the agent tells.
 */
export class ScriptedApi {
  readonly beats: z.infer<typeof contract.beatInput>[] = []
  readonly reports: z.infer<typeof contract.reportInput>[] = []
  readonly inventories: z.infer<typeof contract.inventoryInput>[] = []
  readonly tested: z.infer<typeof contract.connectionTestedInput>[] = []
  readonly claims: z.infer<typeof contract.claimInput>[] = []
  readonly attempts: number[] = []
  readonly enrolments: z.infer<typeof contract.enrolInput>[] = []
  readonly hostToken = 'scripted-host-token'
  /** Enrolled, and its agent never hears of it. */
  loseEnrolment = false
  /** Taken, its job queued again, and its agent never hears of it. */
  loseFailure = false
  onBeat: (beat: z.infer<typeof contract.beatInput>) => Wish | void | Promise<void> = () => {}
  /** While an end is told. */
  onFinish: (end: z.infer<typeof contract.finishInput>) => Promise<void> | void = () => {}
  wanted: contract.WantedImage[] = []
  /** What the host holds its guests to. */
  held: Pick<z.infer<typeof contract.inventoryReply>, 'networks' | 'routers'> = { networks: [], routers: [] }
  connectionTests: z.infer<typeof contract.claimReply>['connectionTests'] = []
  repositoryTests: contract.ClaimReply['repositoryTests'] = []
  readonly repositoriesTested: z.infer<typeof contract.repositoryTestedInput>[] = []
  private readonly jobs = new Map<string, ScriptedJob>()
  private changed = new AbortController()
  /** The agent's latest start: an earlier one's claim gets nothing. */
  private instance = ''
  private server: Server | null = null
  port = 0

  async listen(): Promise<void> {
    const handler = createHTTPHandler({
      router: scriptedRouter,
      basePath: '/agent/',
      createContext: ({ req }) => ({ api: this, bearer: req.headers.authorization ?? null }),
    })
    const server = createServer((request, response) => handler(request, response))
    this.port ||= await freePort()
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.server = server
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Breaks every connection; `listen` comes back on the same port. */
  async close(): Promise<void> {
    const { server } = this
    this.server = null
    this.wake()
    server?.closeAllConnections()
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  enqueue(job: Pick<ClaimedJob, 'serverId' | 'payload' | 'generation' | 'secrets' | 'repository'>): {
    id: string
    result: Promise<JobResult>
  } {
    const id = randomUUID()
    let settle: (result: JobResult) => void = () => {}
    const result = new Promise<JobResult>((resolve) => {
      settle = resolve
    })
    this.jobs.set(id, { ...job, id, attempt: 0, holder: null, settled: null, steps: [], settle })
    this.wake()
    return { id, result }
  }

  loseLease(id: string): void {
    const job = this.jobs.get(id)
    if (job) job.holder = null
    this.wake()
  }

  stepsOf(id: string): JobStep[] {
    return this.jobs.get(id)?.steps ?? []
  }

  /** Good for the host token first used with it. */
  enrol(input: z.infer<typeof contract.enrolInput>): z.infer<typeof contract.enrolReply> {
    const used = this.enrolments.find(({ enrolmentToken }) => enrolmentToken === input.enrolmentToken)
    this.enrolments.push(input)
    if (used && used.hostToken !== (input.hostToken ?? null)) throw new TRPCError({ code: 'UNAUTHORIZED' })
    if (this.loseEnrolment) {
      this.loseEnrolment = false
      this.server?.closeAllConnections()
    }
    return { hostId: randomUUID(), hostName: 'scripted', hostToken: this.hostToken }
  }

  async claim(input: z.infer<typeof contract.claimInput>): Promise<contract.ClaimReply> {
    this.claims.push(input)
    this.instance = input.instanceId
    const end = Date.now() + input.waitSeconds * 1000
    for (;;) {
      const connectionTests = this.connectionTests.splice(0)
      const repositoryTests = this.repositoryTests.splice(0)
      const job = this.instance === input.instanceId ? this.next(input) : null
      if (
        job ||
        connectionTests.length > 0 ||
        repositoryTests.length > 0 ||
        Date.now() >= end ||
        !this.server ||
        this.instance !== input.instanceId
      ) {
        return { job, connectionTests, consoles: [], repositoryTests }
      }
      await woken(this.changed.signal, end - Date.now())
    }
  }

  async beat(input: z.infer<typeof contract.beatInput>) {
    this.beats.push(input)
    const job = this.jobs.get(input.jobId)
    if (job?.attempt === input.attempt) job.steps = input.steps
    const wish = await this.onBeat(input)
    const mine = job?.holder === input.instanceId && job.attempt === input.attempt
    return { lost: wish?.lost ?? !mine, abort: wish?.abort ?? false, overtaken: wish?.overtaken }
  }

  async finish(input: z.infer<typeof contract.finishInput>) {
    await this.onFinish(input)
    const job = this.jobs.get(input.jobId)
    if (!job || job.attempt !== input.attempt) return { accepted: false }
    if (job.holder === null && !job.settled) return { accepted: false }
    if (this.loseFailure && !input.result.ok) {
      this.loseFailure = false
      this.loseLease(job.id)
      while (job.attempt === input.attempt) await pause(10)
      throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR' })
    }
    job.steps = input.steps
    if (!job.settled) {
      job.settled = input.result
      job.settle(input.result)
    }
    return { accepted: true }
  }

  private next(input: z.infer<typeof contract.claimInput>): ClaimedJob | null {
    const open = [...this.jobs.values()].filter((job) => !job.settled)
    const held = (job: ScriptedJob) => input.running.some((one) => one.jobId === job.id)
    // Held by an earlier start of this agent: handed out at once, with a new attempt.
    const job =
      open.find((one) => held(one) && one.holder !== input.instanceId) ??
      (input.freeLanes > 0 ? open.find((one) => one.holder === null) : undefined)
    if (!job) return null
    job.attempt += 1
    job.holder = input.instanceId
    this.attempts.push(job.attempt)
    const { id, serverId, attempt, generation, payload, repository, secrets } = job
    return { id, serverId, attempt, leaseSeconds: 40, generation, payload, repository, secrets }
  }

  private wake(): void {
    this.changed.abort()
    this.changed = new AbortController()
  }
}

type Wish = { abort?: boolean; overtaken?: boolean; lost?: boolean }

type ScriptedJob = Omit<ClaimedJob, 'leaseSeconds'> & {
  holder: string | null
  settled: JobResult | null
  steps: JobStep[]
  settle: (result: JobResult) => void
}

async function woken(signal: AbortSignal, limitMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limitMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const t = initTRPC.context<{ api: ScriptedApi; bearer: string | null }>().create()
const known = t.procedure.use(({ ctx, next }) => {
  if (ctx.bearer !== `Bearer ${ctx.api.hostToken}`) throw new TRPCError({ code: 'UNAUTHORIZED' })
  return next()
})

const scriptedRouter = t.router({
  enrol: t.procedure
    .input(contract.enrolInput)
    .output(contract.enrolReply)
    .mutation(({ ctx, input }) => ctx.api.enrol(input)),
  claim: known
    .input(contract.claimInput)
    .output(contract.claimReply)
    .mutation(({ ctx, input }) => ctx.api.claim(input)),
  beat: known
    .input(contract.beatInput)
    .output(contract.beatReply)
    .mutation(({ ctx, input }) => ctx.api.beat(input)),
  finish: known
    .input(contract.finishInput)
    .output(contract.finishReply)
    .mutation(({ ctx, input }) => ctx.api.finish(input)),
  report: known.input(contract.reportInput).mutation(({ ctx, input }) => {
    ctx.api.reports.push(input)
    return { ok: true as const }
  }),
  inventory: known
    .input(contract.inventoryInput)
    .output(contract.inventoryReply)
    .mutation(({ ctx, input }) => {
      ctx.api.inventories.push(input)
      return { ok: true as const, images: ctx.api.wanted, ...ctx.api.held }
    }),
  connectionTested: known.input(contract.connectionTestedInput).mutation(({ ctx, input }) => {
    ctx.api.tested.push(input)
    return { ok: true as const }
  }),
  repositoryTested: known.input(contract.repositoryTestedInput).mutation(({ ctx, input }) => {
    ctx.api.repositoriesTested.push(input)
    return { ok: true as const }
  }),
})
