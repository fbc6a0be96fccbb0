import * as z from 'zod'
import { powers } from './servers.js'

/**
 * Acts on machines. A job is an act with a complete description and a generation; a host's agent (or, for ssh servers,
 * our worker) claims it under a lease, reports steps by beats and ends it with `finish`. Architecture 1.10, decisions "Agents".
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
  'snapshot',
  'revert',
  'rescue',
] as const
export type JobKind = (typeof jobKinds)[number]

export const jobStatuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SUPERSEDED', 'CANCELLED'] as const
export type JobStatus = (typeof jobStatuses)[number]

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

/** What an operator may do with a job; `reason` is the sentence of a button that is off, null where the act is allowed. */
export const jobCan = {
  /** Try a waiting job at once. */
  hurry: ({ status }: JobState) => (status === 'QUEUED' ? null : '只有排队中的任务可以立即执行'),
  /** Set-ups and clean-ups are not an operator's to cancel: orders and places hang on them. */
  cancel: ({ kind, status }: JobState) => {
    if (status !== 'QUEUED' && status !== 'RUNNING') return '任务已结束'
    return cancellable.includes(kind) ? null : '安装和释放由订单决定，不能取消'
  },
  /** Ask for the same act once more. A set-up moves on by itself to another host, a resize was given back with its charge. */
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

/** One step of a job as its owner sees it. `name` is stable (English, for programs), `label` is Chinese (for people). */
export const jobStep = z.object({
  name: z.string().max(40),
  label: z.string().max(60),
  status: z.enum(stepStatuses),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
})
export type JobStep = z.infer<typeof jobStep>

export const jobView = z.object({
  id: z.uuid(),
  kind: z.enum(jobKinds),
  status: z.enum(jobStatuses),
  serverId: z.uuid(),
  steps: z.array(jobStep),
  percentage: z.int().min(0).max(100),
  attempt: z.int(),
  error: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
})
export type JobView = z.infer<typeof jobView>

/**
 * A generation is `epoch.number`. An agent remembers the highest one it has seen per server and refuses older ones, so a
 * late or repeated order never moves a machine backwards.
 */
export const generation = z.object({ epoch: z.int().min(0), number: z.int().min(1) })
export type Generation = { epoch: number; number: number }

/** Negative when `a` is older than `b`. */
export function compareGenerations(a: Generation, b: Generation): number {
  return a.epoch - b.epoch || a.number - b.number
}

/** How readiness is proven, per image: a login over SSH, an answer of the guest agent, or nothing but a running domain. */
export const readinessKinds = ['ssh', 'guest-agent', 'none'] as const
export type Readiness = (typeof readinessKinds)[number]

const macAddress = z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/)

/** Everything that is needed to make the machine; nothing is left to decide on the host. */
export const machineDescription = z.object({
  hostname: z.string().min(1).max(63),
  cpuCores: z.int().min(1),
  memoryMb: z.int().min(128),
  diskGb: z.int().min(1),
  /** 0 means unlimited. */
  bandwidthMbps: z.int().min(0),
  image: z.object({
    id: z.uuid(),
    osName: z.string(),
    osVersion: z.string(),
    /** File name in the host's image folder, e.g. `debian-12.qcow2`. */
    file: z.string().regex(/^[A-Za-z0-9._-]+$/),
    /** Lower-case hex SHA-256 of the file, or null where the administrator gave none. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    readiness: z.enum(readinessKinds),
  }),
  network: z.object({
    mac: macAddress,
    /** First one is the address that the customer is told. */
    addresses: z.array(z.object({ address: z.string(), prefix: z.int().min(1).max(128) })).min(1),
    gateway: z.string().nullable(),
    dns: z.array(z.string()),
    /** Host bridge to plug into, or null for the agent's own default. */
    bridge: z.string().nullable(),
    /** Always null: agents of the version before refuse a description without it. */
    vlan: z.null().default(null),
  }),
  username: z.string(),
  sshPort: z.int(),
  sshKeys: z.array(z.string()),
})
export type MachineDescription = z.infer<typeof machineDescription>

/**
 * Payload per kind, as stored (no secret in the row). `claim` adds `secrets` to its reply for the kinds that need a
 * password, decrypted just then.
 */
export const jobPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('install'), machine: machineDescription }),
  z.object({ kind: z.literal('reinstall'), machine: machineDescription }),
  z.object({ kind: z.literal('start') }),
  /** `force` cuts the power; otherwise ACPI first and after `graceSeconds` the power is cut. `suspend` clears autostart for a suspension. */
  z.object({ kind: z.literal('stop'), force: z.boolean(), graceSeconds: z.int().min(0).max(300) }),
  z.object({ kind: z.literal('restart') }),
  /** `byRestart`: for a guest whose agent does not answer. */
  z.object({ kind: z.literal('resetPassword'), username: z.string(), byRestart: z.boolean().default(false) }),
  z.object({
    kind: z.literal('resize'),
    cpuCores: z.int(),
    memoryMb: z.int(),
    diskGb: z.int(),
    /** 0 means unlimited; absent: as it is. */
    bandwidthMbps: z.int().min(0).optional(),
  }),
  z.object({ kind: z.literal('destroy') }),
  /** The definition anew over the disk that is there; `start`: and on, as its order says. */
  z.object({ kind: z.literal('redefine'), machine: machineDescription, start: z.boolean() }),
  z.object({ kind: z.literal('snapshot'), name: z.string() }),
  z.object({ kind: z.literal('revert'), name: z.string() }),
  z.object({ kind: z.literal('rescue'), machine: machineDescription }),
])
export type JobPayload = z.infer<typeof jobPayload>

/** After a resize: what the machine is defined with, where it could be read. Absent from an older agent. */
const machineSize = z.object({ cpuCores: z.int(), memoryMb: z.int() }).optional()

/** The image of which no guest came up; the checksum of that very file, null where it is not known. */
const unbootableImage = z.object({ file: z.string().max(120), sha256: z.string().max(64).nullable() })
export type UnbootableImage = z.infer<typeof unbootableImage>

/** What a finished job says it found afterwards. */
export const jobResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** Power as read from the hypervisor after the act. */
    power: z.enum([...powers, 'absent']),
    /** install, reinstall, resetPassword: the delivered password was accepted by an SSH login. Never true where readiness is not ssh. */
    proven: z.boolean(),
    size: machineSize,
  }),
  z.object({
    ok: z.literal(false),
    /** One Chinese sentence for the customer. */
    message: z.string().max(300),
    /** For the operator: what the hypervisor said, without secrets. */
    detail: z.string().max(4000),
    /** True when a further try cannot help (image missing, unsupported). */
    final: z.boolean(),
    /** True when the agent stopped because a beat told it to abort. */
    aborted: z.boolean(),
    power: z.enum([...powers, 'absent']),
    size: machineSize,
    unbootable: unbootableImage.optional(),
  }),
])
export type JobResult = z.infer<typeof jobResult>

/**
 * Acts on an entered machine, done by our worker over SSH. `lock` and `unlock` are how a suspension stops and a resumption
 * starts one: another password and the login sessions ended, and the owner's password again.
 */
export const sshPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('install'), ssh: z.literal('set-up') }),
  z.object({ kind: z.literal('restart'), ssh: z.literal('restart') }),
  z.object({ kind: z.literal('stop'), ssh: z.enum(['power-off', 'lock']) }),
  z.object({ kind: z.literal('start'), ssh: z.literal('unlock') }),
  z.object({ kind: z.literal('resetPassword'), ssh: z.literal('reset-password') }),
])
export type SshPayload = z.infer<typeof sshPayload>

/** What happened to a job, for operators. */
export const jobLogLine = z.object({ at: z.string(), text: z.string() })
export type JobLogLine = z.infer<typeof jobLogLine>
