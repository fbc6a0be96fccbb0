import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobResult } from '@vps/shared/jobs.contract'
import type { Found, Hypervisor } from '../hypervisor/hypervisor.js'
import type { Memory } from '../memory.js'

export type JobContext = {
  job: ClaimedJob
  hypervisor: Hypervisor
  memory: Memory
  found: Found
  proven: boolean
  /** Of an earlier run of this generation or rescue, or null. */
  hostKey: string | null
  done: ReadonlySet<string>
  limits: Limits
  /** Waits obey it; an act once begun is finished. */
  signal: AbortSignal
  /** How much of the step is done, if known. */
  tell: (share: number) => Promise<void>
}

export type Limits = {
  bootMs: number
  stillMs: number
  /** Until it accepts the delivered password. */
  loginMs: number
  graceMs: number
  /** Reading and copying images takes longer. */
  actMs: number
  imageMs: number
  /** For a job that waits for an absent hypervisor. */
  awayMs: number
  pollMs: number
}

/** `weight`: its share of the percentage. */
export type Step = {
  name: string
  label: string
  weight: number
  /** A wait brings its own. */
  limit?: 'actMs' | 'imageMs' | 'own'
  run: (context: JobContext) => Promise<void>
}

/** All steps in order, which are needed, and what must hold afterwards. */
export type Handler = {
  steps: readonly Step[]
  plan: (context: JobContext) => ReadonlySet<string>
  /** For the operator: what does not hold though every step succeeded; null: all is well. */
  check: (context: JobContext, found: Found) => string | null
  /** Whether success includes the accepted password; asked after the check. */
  proves: (context: JobContext) => boolean
  tells?: () => Pick<Extract<JobResult, { ok: true }>, 'backup' | 'check' | 'inGuest'>
  undo?: (context: JobContext) => Promise<void>
}
