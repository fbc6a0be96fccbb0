import * as z from 'zod'
import { jobKinds, jobStatuses, readinessKinds, stepStatuses } from './jobs.js'
import { powers } from './servers.js'

/** `name` is stable and English, for programs; `label` Chinese, for people. */
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
 * `epoch.number`. An agent refuses one older than the highest that it has seen of a server: a late or repeated order
 * never moves a machine backwards.
 */
export const generation = z.object({ epoch: z.int().min(0), number: z.int().min(1) })

const macAddress = z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/)

/** All that is needed to make it; nothing is left to decide on the host. */
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
    /** In the host's image folder. */
    file: z.string().regex(/^[A-Za-z0-9._-]+$/),
    /** Lower-case hex; null where the administrator gave none. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    readiness: z.enum(readinessKinds),
  }),
  network: z.object({
    mac: macAddress,
    /** The customer is told the first. */
    addresses: z.array(z.object({ address: z.string(), prefix: z.int().min(1).max(128) })).min(1),
    gateway: z.string().nullable(),
    dns: z.array(z.string()),
    /** Null: the agent's own default. */
    bridge: z.string().nullable(),
    /** Always null: agents of the version before refuse a description without it. */
    vlan: z.null().default(null),
  }),
  username: z.string(),
  sshPort: z.int(),
  sshKeys: z.array(z.string()),
})
export type MachineDescription = z.infer<typeof machineDescription>

/** As stored, without secrets; `claim` adds those just then, decrypted. */
export const jobPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('install'), machine: machineDescription }),
  z.object({ kind: z.literal('reinstall'), machine: machineDescription }),
  z.object({ kind: z.literal('start') }),
  /** `force` cuts the power; else ACPI, and the cut after `graceSeconds`. `suspend` clears autostart. */
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
  /** Defined anew over its disk; `start`: as its order says. */
  z.object({ kind: z.literal('redefine'), machine: machineDescription, start: z.boolean() }),
  /** Of the disk of its generation, by the row's id. */
  z.object({ kind: z.literal('snapshot'), snapshotId: z.uuid() }),
  /** The disk as it was then, as large as now; the machine starts anew. */
  z.object({ kind: z.literal('revert'), snapshotId: z.uuid() }),
  z.object({ kind: z.literal('deleteSnapshot'), snapshotId: z.uuid() }),
])
export type JobPayload = z.infer<typeof jobPayload>

/** As defined; absent from an older agent. */
const machineSize = z.object({ cpuCores: z.int(), memoryMb: z.int() }).optional()

/** The checksum of that very file, null where it is not known. */
const unbootableImage = z.object({ file: z.string().max(120), sha256: z.string().max(64).nullable() })
export type UnbootableImage = z.infer<typeof unbootableImage>

/** What a finished job found afterwards. */
export const jobResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** Read from the hypervisor after the act. */
    power: z.enum([...powers, 'absent']),
    /** An SSH login accepted the delivered password; never true where readiness is not ssh. */
    proven: z.boolean(),
    size: machineSize,
  }),
  z.object({
    ok: z.literal(false),
    /** Chinese, for the customer. */
    message: z.string().max(300),
    /** For the operator: the hypervisor's words, without secrets. */
    detail: z.string().max(4000),
    /** A further try cannot help. */
    final: z.boolean(),
    /** A beat told it to abort. */
    aborted: z.boolean(),
    power: z.enum([...powers, 'absent']),
    size: machineSize,
    unbootable: unbootableImage.optional(),
  }),
])
export type JobResult = z.infer<typeof jobResult>

/**
 * Acts of our worker on a dedicated server. `lock`, for a suspension: another password, sessions ended; `unlock`: the
 * owner's password again.
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
