import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { Found, Hypervisor } from '../hypervisor/hypervisor.js'
import type { Memory } from '../memory.js'

/** What a handler and its steps are given. */
export type JobContext = {
  job: ClaimedJob
  hypervisor: Hypervisor
  memory: Memory
  /** As read before the first step. */
  found: Found
  /** Login of this generation was proven before (by an earlier run of the same order). */
  proven: boolean
  /** The host key that was made for this generation by an earlier run; null where none was. */
  hostKey: string | null
  /** Names of steps that the journal shows as done, from an earlier run. */
  done: ReadonlySet<string>
  limits: Limits
  /** Aborted when the job shall stop. Waits obey it; an act that has begun is always finished. */
  signal: AbortSignal
}

/** How long things may take. */
export type Limits = {
  /** From power on until the guest answers. */
  bootMs: number
  /** A guest of which nothing has moved for so long does not boot, however long it is waited for. */
  stillMs: number
  /** From there until it accepts the delivered password. */
  loginMs: number
  /** A guest that is asked to shut down for a restart. */
  graceMs: number
  /** One act of the hypervisor; reading and copying images takes longer. */
  actMs: number
  imageMs: number
  /** A job that waits for a hypervisor that is away. */
  awayMs: number
  /** Between two looks. */
  pollMs: number
  /** bcrypt rounds of the hash in the seed, as a power of two. */
  hashCost: number
}

/** `name` is for programs, `label` for people, `weight` is its share of the percentage. */
export type Step = {
  name: string
  label: string
  weight: number
  /** Which limit holds; `actMs` where nothing is said. A wait brings its own. */
  limit?: 'actMs' | 'imageMs' | 'own'
  run: (context: JobContext) => Promise<void>
}

/** One kind of job: all its steps in order, which of them are needed, and what must hold afterwards. */
export type Handler = {
  steps: readonly Step[]
  plan: (context: JobContext) => ReadonlySet<string>
  /** What does not hold although every step succeeded, for the operator; null when all is well. */
  check: (context: JobContext, found: Found) => string | null
  /** Whether success includes that the delivered password was accepted; asked after the check. */
  proves: (context: JobContext) => boolean
  /** Takes back what a failed or aborted try has half made. */
  undo?: (context: JobContext) => Promise<void>
}
