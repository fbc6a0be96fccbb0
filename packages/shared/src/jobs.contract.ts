import * as z from 'zod'
import { firewall } from './firewall.contract.js'
import { firmwares } from './images.js'
import { jobKinds, jobStatuses, readinessKinds, stepStatuses } from './jobs.js'
import { portBlock } from './nat.contract.js'
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

const imageOfHost = z.object({
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
  /** Absent: the BIOS. */
  firmware: z.enum(firmwares).optional(),
})

/** A disc of the library in a machine's drive, by its row's id; `boots`: before the machine's disk. */
export const insertedIso = z.object({ isoId: z.uuid(), file: imageOfHost.shape.file, boots: z.boolean() })
export type InsertedIso = z.infer<typeof insertedIso>

/** All that is needed to make it; nothing is left to decide on the host. */
export const machineDescription = z.object({
  hostname: z.string().min(1).max(63),
  cpuCores: z.int().min(1),
  memoryMb: z.int().min(128),
  diskGb: z.int().min(1),
  /** 0 means unlimited. */
  bandwidthMbps: z.int().min(0),
  /** Reads and writes together; 0 means unlimited. */
  diskIops: z.int().min(0).default(0),
  /** The same. */
  diskMbPerSecond: z.int().min(0).default(0),
  /** libvirt's name, which hosts that it may move between share; null: the agent's own choice. */
  cpuModel: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,60}$/)
    .nullable()
    .default(null),
  image: imageOfHost,
  network: z.object({
    mac: macAddress,
    /** The customer is told the first. Of each family the first gateway is the way out. */
    addresses: z
      .array(
        z.object({
          address: z.string(),
          prefix: z.int().min(1).max(128),
          gateway: z.string().nullable().default(null),
          /** Of a shared address, the ports that lead to this one. */
          nat: portBlock.optional(),
        }),
      )
      .min(1),
    /** Of these every address is the machine's. */
    prefixes: z.array(z.cidrv6()).default([]),
    /** Of the first address, for descriptions and agents of the version before. */
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

/** All that a machine may send from; `added`: those of which its guest is told beside its seed. */
const grownNetwork = z.object({
  mac: macAddress,
  addresses: z.array(z.object({ address: z.string(), prefix: z.int().min(1).max(128) })).min(1),
  prefixes: z.array(z.cidrv6()),
  added: z.array(z.string()),
})
export type GrownNetwork = z.infer<typeof grownNetwork>

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
    network: grownNetwork.optional(),
  }),
  z.object({ kind: z.literal('destroy') }),
  /** Defined anew over its disk, or over this rescue's; `start`: as its order says. */
  z.object({
    kind: z.literal('redefine'),
    machine: machineDescription,
    start: z.boolean(),
    /** Of the disk that it may still have: what was to follow it did not come about. */
    earlierNumber: generation.shape.number.optional(),
    rescueId: z.uuid().optional(),
    /** The disc that stays in its drive. */
    iso: insertedIso.optional(),
  }),
  /** Of the disk of its generation, by the row's id. */
  z.object({ kind: z.literal('snapshot'), snapshotId: z.uuid() }),
  /** The disk as it was then, as large as now; the machine starts anew. */
  z.object({ kind: z.literal('revert'), snapshotId: z.uuid() }),
  z.object({ kind: z.literal('deleteSnapshot'), snapshotId: z.uuid() }),
  /** The machine as its rescue system is: with the rescue image, and its own addresses. */
  z.object({ kind: z.literal('enterRescue'), rescueId: z.uuid(), machine: machineDescription }),
  z.object({ kind: z.literal('leaveRescue'), start: z.boolean() }),
  /** The image's file into the drive, at once; one that `boots` restarts the machine, or starts it. */
  z.object({ kind: z.literal('insertIso'), isoId: z.uuid(), image: imageOfHost, boots: z.boolean() }),
  /** Without a restart; the disk boots from the next start on. */
  z.object({ kind: z.literal('ejectIso') }),
  /** All rules of it; an older revision never follows a newer one. */
  z.object({ kind: z.literal('applyFirewall'), revision: z.int().min(1), firewall }),
  /** Of the disk, by the row's id, to the repository that comes with the claim. */
  z.object({ kind: z.literal('backup'), backupId: z.uuid() }),
  /** A disk of this generation from it, and the machine over that. `hostKey`: of the guest that is on it, if known. */
  z.object({
    kind: z.literal('restore'),
    backupId: z.uuid(),
    machine: machineDescription,
    hostKey: z.string().max(200).nullable(),
    /** The server that the backup is of, where that is another: its guest then takes this machine's identity. */
    from: z.uuid().optional(),
  }),
  z.object({ kind: z.literal('deleteBackup'), backupId: z.uuid() }),
  /** What is kept of this server in one repository: that these are there, and one part of `parts` read, from 1. */
  z.object({
    kind: z.literal('checkBackups'),
    repositoryId: z.uuid(),
    backupIds: z.array(z.uuid()).max(200),
    part: z.int().min(1),
    parts: z.int().min(1),
  }),
])
export type JobPayload = z.infer<typeof jobPayload>

/** As defined; absent from an older agent. */
const machineSize = z.object({ cpuCores: z.int(), memoryMb: z.int() }).optional()

/** What the machine may send from, of a resize with a network; absent from an older agent, which knows none. */
const admitted = z.array(z.string()).optional()

/** Which added addresses the guest was made to take, and at which of them it was seen to answer. */
const inGuest = z.object({ taken: z.array(z.string()), answered: z.array(z.string()) })
export type InGuest = z.infer<typeof inGuest>

/** The checksum of that very file, null where it is not known. */
const unbootableImage = z.object({ file: z.string().max(120), sha256: z.string().max(64).nullable() })
export type UnbootableImage = z.infer<typeof unbootableImage>

/**
 * `addedBytes`: before they were compressed; null where it had been made already. `hostKey`: of its guest, if known.
 */
const backupMade = z.object({
  diskBytes: z.number().min(0),
  addedBytes: z.number().min(0).nullable(),
  hostKey: z.string().max(200).nullable(),
  /** Whether its guest could become another machine; null where that was not known, absent from an older agent. */
  isMovable: z.boolean().nullable().optional(),
})
export type BackupMade = z.infer<typeof backupMade>

/** `detail`: why not, in restic's words, without secrets. */
const backupsChecked = z.object({ isWhole: z.boolean(), detail: z.string().max(1000) })
export type BackupsChecked = z.infer<typeof backupsChecked>

/** What a finished job found afterwards. */
export const jobResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** Read from the hypervisor after the act. */
    power: z.enum([...powers, 'absent']),
    /** An SSH login accepted the delivered password; never true where readiness is not ssh. */
    proven: z.boolean(),
    size: machineSize,
    admitted,
    inGuest: inGuest.optional(),
    backup: backupMade.optional(),
    check: backupsChecked.optional(),
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
    admitted,
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
