/** By its owner alone. */
export const snapshotKinds = ['snapshot', 'revert', 'deleteSnapshot'] as const

export const rescueKinds = ['enterRescue', 'leaveRescue'] as const

export const isoKinds = ['insertIso', 'ejectIso'] as const

export const backupKinds = ['backup', 'restore', 'deleteBackup'] as const

/** Any other act takes their place, and they are asked for again. */
export const yieldingKinds = ['backup', 'deleteBackup', 'checkBackups'] as const

/**
 * Claimed under a lease by an agent (for ssh servers, our worker), told by beats, ended with `finish` (decisions,
 * "Agents").
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
  ...snapshotKinds,
  ...rescueKinds,
  'applyFirewall',
  ...backupKinds,
  ...isoKinds,
  'checkBackups',
] as const
export type JobKind = (typeof jobKinds)[number]

/**
 * The agent's step with which an act has come about: what fails or is broken off later takes it back no more. A restore
 * of another server's backup has with the next one.
 */
export const lastingSteps: Partial<Record<JobKind, string>> = {
  backup: 'backUp',
  reinstall: 'createDisk',
  restore: 'defineMachine',
  revert: 'revertDisk',
  resetPassword: 'setPassword',
  leaveRescue: 'leaveRescue',
}
export const lastingElsewhere = 'removeOthers'

/** The same of acts that their own agent takes back when they fail: it stands where nobody heard of an end. */
export const lastingUntold: Partial<Record<JobKind, string>> = {
  enterRescue: 'enterRescue',
  insertIso: 'insertIso',
  resetPassword: 'insertPassword',
}

export const jobStatuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SUPERSEDED', 'CANCELLED'] as const
export type JobStatus = (typeof jobStatuses)[number]
export const openJobStatuses = ['QUEUED', 'RUNNING'] as const satisfies readonly JobStatus[]

/** For docs/states.md; each is a compare-and-set. */
export const jobMoves = [
  { from: 'QUEUED', to: 'RUNNING', cause: 'claim' },
  {
    from: 'QUEUED',
    to: 'SUPERSEDED',
    cause: 'a life-cycle move or a forced stop replaces it, or any act to which it yields',
  },
  {
    from: 'QUEUED',
    to: 'CANCELLED',
    cause: 'called off by an operator, its upgrade or migration given up, or its host retired, before it began',
  },
  { from: 'RUNNING', to: 'RUNNING', cause: 'beat, or taken up again by the next start of its agent' },
  { from: 'RUNNING', to: 'QUEUED', cause: 'lease lost, or a try failed with tries left, or an operator took it over' },
  { from: 'RUNNING', to: 'SUPERSEDED', cause: 'the same, but another waits by then' },
  { from: 'RUNNING', to: 'SUCCEEDED', cause: 'finish' },
  { from: 'RUNNING', to: 'FAILED', cause: 'finish or lease lost, last try' },
  { from: 'RUNNING', to: 'CANCELLED', cause: 'aborted on request, or a revert of before a restored back-up' },
] as const satisfies readonly { from: JobStatus; to: JobStatus; cause: string }[]

type JobState = { kind: JobKind; status: JobStatus }

/** Null, or a disabled button's sentence. */
export const jobCan = {
  runNow: ({ status }: JobState) => (status === 'QUEUED' ? null : '只有排队中的任务可以立即执行'),
  /** Not set-ups and clean-ups: orders and places hang on them. */
  cancel: ({ kind, status }: JobState) => {
    if (status !== 'QUEUED' && status !== 'RUNNING') return '任务已结束'
    return ofOrders.includes(kind) ? '安装和释放由订单决定，不能取消' : null
  },
  /** A set-up moves on by itself; a resize was given back with its charge. */
  retry: ({ kind, status }: JobState) => {
    if (status !== 'FAILED' && status !== 'CANCELLED') return '只有失败或已取消的任务可以重试'
    if (snapshotKinds.some((one) => one === kind)) return '快照操作由用户在控制台重新发起'
    if (rescueKinds.some((one) => one === kind)) return '救援模式由用户在控制台重新进入或退出'
    if (isoKinds.some((one) => one === kind)) return '光盘由用户在控制台重新插入或弹出'
    if (backupKinds.some((one) => one === kind)) return '备份操作由用户在控制台或按计划重新发起'
    if (kind === 'checkBackups') return '备份检查由系统每周发起'
    return kind === 'install' || kind === 'resize' ? '安装失败由系统换机或退款，升级失败已退回费用，不能重试' : null
  },
  /** Taken from its holder, handed out anew. */
  adopt: ({ status }: JobState) => (status === 'RUNNING' ? null : '只有进行中的任务可以接管'),
}
const ofOrders: readonly JobKind[] = ['install', 'reinstall', 'destroy']

export const leaseSeconds = 40
export const beatSeconds = 10
export const maxAttempts = 3

/** Before try `attempt + 1`: 2, 8, 18 … at most a minute. */
export function backoffSeconds(attempt: number): number {
  return Math.min(60, 2 * attempt * attempt)
}

export const stepStatuses = ['pending', 'running', 'done', 'failed'] as const
export type Generation = { epoch: number; number: number }

/** Negative: `a` is older. */
export function compareGenerations(a: Generation, b: Generation): number {
  return a.epoch - b.epoch || a.number - b.number
}

/** An SSH login, a guest agent's answer, or a running domain. */
export const readinessKinds = ['ssh', 'guest-agent', 'none'] as const
export type Readiness = (typeof readinessKinds)[number]
