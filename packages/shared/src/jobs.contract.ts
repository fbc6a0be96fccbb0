import * as z from 'zod'
import { jobKinds, jobStatuses, readinessKinds, stepStatuses } from './jobs.js'
import { powers } from './servers.js'

/**
 * One step of a job as its owner sees it. `name` is stable (English, for programs), `label` is Chinese (for people).
 */
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
 * A generation is `epoch.number`. An agent remembers the highest one it has seen per server and refuses older ones, so
 * a late or repeated order never moves a machine backwards.
 */
export const generation = z.object({ epoch: z.int().min(0), number: z.int().min(1) })

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
  /**
   * `force` cuts the power; otherwise ACPI first and after `graceSeconds` the power is cut. `suspend` clears autostart
   * for a suspension.
   */
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
    /**
     * install, reinstall, resetPassword: the delivered password was accepted by an SSH login. Never true where
     * readiness is not ssh.
     */
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
 * Acts on a dedicated server, done by our worker over SSH. `lock` and `unlock` are how a suspension stops and a
 * resumption starts one: another password and the login sessions ended, and the owner's password again.
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
