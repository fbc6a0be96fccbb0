/**
 * Acts on machines. A job is an act with a complete description and a generation; a host's agent (or, for ssh servers,
 * our worker) claims it under a lease, reports steps by beats and ends it with `finish`. Architecture 1.10, decisions
 * "Agents".
 */
export const jobKinds = [
  'install',
  'reinstall',
  'start',
  'stop',
  'restart',
  'resetPassword',
  'resize',
  'destroy',
  'redefine',
] as const
export type JobKind = (typeof jobKinds)[number]

export const jobStatuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SUPERSEDED', 'CANCELLED'] as const
export type JobStatus = (typeof jobStatuses)[number]
/** Of a job that has not ended. */
export const openJobStatuses = ['QUEUED', 'RUNNING'] as const satisfies readonly JobStatus[]

/** Job states and who moves between them; everything else is refused. */
export const jobMoves = [
  { from: 'QUEUED', to: 'RUNNING', cause: 'claim' },
  { from: 'QUEUED', to: 'SUPERSEDED', cause: 'a life-cycle move replaces it' },
  { from: 'QUEUED', to: 'CANCELLED', cause: 'its order was cancelled before it began' },
  { from: 'RUNNING', to: 'RUNNING', cause: 'beat, or a claim that adopts a lost lease' },
  { from: 'RUNNING', to: 'QUEUED', cause: 'lease lost, or a try failed with tries left, or an operator took it over' },
  { from: 'RUNNING', to: 'SUCCEEDED', cause: 'finish' },
  { from: 'RUNNING', to: 'FAILED', cause: 'finish, last try' },
  { from: 'RUNNING', to: 'CANCELLED', cause: 'aborted on request' },
] as const satisfies readonly { from: JobStatus; to: JobStatus; cause: string }[]

type JobState = { kind: JobKind; status: JobStatus }

/**
 * What an operator may do with a job; `reason` is the sentence of a button that is off, null where the act is allowed.
 */
export const jobCan = {
  /** Try a waiting job at once. */
  runNow: ({ status }: JobState) => (status === 'QUEUED' ? null : '只有排队中的任务可以立即执行'),
  /** Set-ups and clean-ups are not an operator's to cancel: orders and places hang on them. */
  cancel: ({ kind, status }: JobState) => {
    if (status !== 'QUEUED' && status !== 'RUNNING') return '任务已结束'
    return cancellable.includes(kind) ? null : '安装和释放由订单决定，不能取消'
  },
  /**
   * Ask for the same act once more. A set-up moves on by itself to another host, a resize was given back with its
   * charge.
   */
  retry: ({ kind, status }: JobState) => {
    if (status !== 'FAILED' && status !== 'CANCELLED') return '只有失败或已取消的任务可以重试'
    return kind === 'install' || kind === 'resize' ? '安装失败由系统换机或退款，升级失败已退回费用，不能重试' : null
  },
  /** Take a running job out of the hands that hold it and hand it out anew. */
  adopt: ({ status }: JobState) => (status === 'RUNNING' ? null : '只有进行中的任务可以接管'),
}
const cancellable: readonly JobKind[] = ['start', 'stop', 'restart', 'resetPassword', 'resize', 'redefine']

export const leaseSeconds = 40
export const beatSeconds = 10
export const maxAttempts = 3

/** Wait before try number `attempt + 1`, in seconds: 2, 8, 18 … at most a minute. */
export function backoffSeconds(attempt: number): number {
  return Math.min(60, 2 * attempt * attempt)
}

export const stepStatuses = ['pending', 'running', 'done', 'failed'] as const
export type Generation = { epoch: number; number: number }

/** Negative when `a` is older than `b`. */
export function compareGenerations(a: Generation, b: Generation): number {
  return a.epoch - b.epoch || a.number - b.number
}

/**
 * How readiness is proven, per image: a login over SSH, an answer of the guest agent, or nothing but a running domain.
 */
export const readinessKinds = ['ssh', 'guest-agent', 'none'] as const
export type Readiness = (typeof readinessKinds)[number]
