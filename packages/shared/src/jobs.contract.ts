import * as z from 'zod'
import { wordOf } from './fields.contract.js'
import { firewall } from './firewall.contract.js'
import { firmwares } from './images.js'
import { jobKinds, jobStatuses, readinessKinds, stepStatuses } from './jobs.js'
import { portBlock } from './nat.contract.js'
import { powers } from './servers.js'

/** ISO, as a host says: it may say anything. */
const toldMoment = z.string().max(40).nullable()

/** `name`: stable English, for programs; `label`: Chinese, for people. */
export const jobStep = z.object({
  name: z.string().max(40),
  label: z.string().max(60),
  status: z.enum(stepStatuses),
  startedAt: toldMoment,
  finishedAt: toldMoment,
})
export type JobStep = z.infer<typeof jobStep>

export const jobView = z.object({
  id: z.uuid(),
  kind: wordOf(jobKinds),
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
 * `epoch.number`. Agents refuse one older than the highest they saw of a server: no late or repeated order moves a
 * machine back.
 */
export const generation = z.object({ epoch: z.int().min(0), number: z.int().min(1) })

const macAddress = z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/)

const imageOfHost = z.object({
  id: z.uuid(),
  osName: z.string(),
  osVersion: z.string(),
  file: z.string().regex(/^[A-Za-z0-9._-]+$/),
  /** Null: not given. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  readiness: z.enum(readinessKinds),
  /** Absent: the BIOS. */
  firmware: z.enum(firmwares).optional(),
})

/** `boots`: before the disk. */
export const insertedIso = z.object({ isoId: z.uuid(), file: imageOfHost.shape.file, boots: z.boolean() })
export type InsertedIso = z.infer<typeof insertedIso>

/** Complete: the host decides nothing. */
export const machineDescription = z.object({
  hostname: z.string().min(1).max(63),
  cpuCores: z.int().min(1),
  memoryMb: z.int().min(128),
  diskGb: z.int().min(1),
  bandwidthMbps: z.int().min(0),
  /** 0: unlimited, here and above; reads and writes together. */
  diskIops: z.int().min(0).default(0),
  diskMbPerSecond: z.int().min(0).default(0),
  /** libvirt's name; null: the agent's choice. */
  cpuModel: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,60}$/)
    .nullable()
    .default(null),
  image: imageOfHost,
  network: z.object({
    mac: macAddress,
    /** The customer is told the first. Each family's first gateway is the way out. */
    addresses: z
      .array(
        z.object({
          address: z.string(),
          prefix: z.int().min(1).max(128),
          gateway: z.string().nullable().default(null),
          nat: portBlock.optional(),
        }),
      )
      .min(1),
    prefixes: z.array(z.cidrv6()).default([]),
    /** The first address's, for the version before. */
    gateway: z.string().nullable(),
    dns: z.array(z.string()),
    /** Null: the agent's default. */
    bridge: z.string().nullable(),
    /** Always null: agents of the version before need it. */
    vlan: z.null().default(null),
  }),
  username: z.string(),
  sshPort: z.int(),
  sshKeys: z.array(z.string()),
})
export type MachineDescription = z.infer<typeof machineDescription>

/** All that it may send from; `added`: those its guest learns beside its seed. */
const grownNetwork = z.object({
  mac: macAddress,
  addresses: z.array(z.object({ address: z.string(), prefix: z.int().min(1).max(128) })).min(1),
  prefixes: z.array(z.cidrv6()),
  added: z.array(z.string()),
})
export type GrownNetwork = z.infer<typeof grownNetwork>

/** As stored, without secrets; `claim` adds those, decrypted. */
export const jobPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('install'), machine: machineDescription }),
  z.object({ kind: z.literal('reinstall'), machine: machineDescription }),
  z.object({ kind: z.literal('start') }),
  /** `force` cuts the power; else ACPI, and the cut after `graceSeconds`. `staysOff`: suspended; a failure brings no autostart back. */
  z.object({
    kind: z.literal('stop'),
    force: z.boolean(),
    graceSeconds: z.int().min(0).max(300),
    staysOff: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('restart') }),
  /** `byRestart`: where the guest's agent is silent. */
  z.object({ kind: z.literal('resetPassword'), username: z.string(), byRestart: z.boolean().default(false) }),
  z.object({
    kind: z.literal('resize'),
    cpuCores: z.int(),
    memoryMb: z.int(),
    diskGb: z.int(),
    /** 0: unlimited; absent: as it is. */
    bandwidthMbps: z.int().min(0).optional(),
    network: grownNetwork.optional(),
  }),
  z.object({ kind: z.literal('destroy') }),
  /** Over its disk, or this rescue's; `start`: as its order says. */
  z.object({
    kind: z.literal('redefine'),
    machine: machineDescription,
    start: z.boolean(),
    /** Its disk, where what was to follow failed. */
    earlierNumber: generation.shape.number.optional(),
    rescueId: z.uuid().optional(),
    iso: insertedIso.optional(),
  }),
  z.object({ kind: z.literal('snapshot'), snapshotId: z.uuid() }),
  /** The disk as then, as large as now; the machine starts anew. */
  z.object({ kind: z.literal('revert'), snapshotId: z.uuid() }),
  z.object({ kind: z.literal('deleteSnapshot'), snapshotId: z.uuid() }),
  /** `machine`: with the rescue image and its own addresses. */
  z.object({ kind: z.literal('enterRescue'), rescueId: z.uuid(), machine: machineDescription }),
  z.object({ kind: z.literal('leaveRescue'), start: z.boolean() }),
  /** At once; one that `boots` restarts or starts the machine. */
  z.object({ kind: z.literal('insertIso'), isoId: z.uuid(), image: imageOfHost, boots: z.boolean() }),
  /** Without a restart; then the disk boots. */
  z.object({ kind: z.literal('ejectIso') }),
  /** All rules; an older revision never follows a newer. */
  z.object({ kind: z.literal('applyFirewall'), revision: z.int().min(1), firewall }),
  z.object({ kind: z.literal('backup'), backupId: z.uuid() }),
  /** Makes this generation's disk and the machine over it. `hostKey`: of its guest, if known. */
  z.object({
    kind: z.literal('restore'),
    backupId: z.uuid(),
    machine: machineDescription,
    hostKey: z.string().max(200).nullable(),
    /** The backup's server, if another: its guest takes this machine's identity. */
    from: z.uuid().optional(),
    /** On a host that has none of its rules: they stand before it starts. */
    firewall: z.object({ revision: z.int().min(1), firewall }).optional(),
  }),
  z.object({ kind: z.literal('deleteBackup'), backupId: z.uuid() }),
  /** Checks that these are there and reads one part of `parts`, from 1. */
  z.object({
    kind: z.literal('checkBackups'),
    repositoryId: z.uuid(),
    backupIds: z.array(z.uuid()).max(200),
    part: z.int().min(1),
    parts: z.int().min(1),
  }),
])
export type JobPayload = z.infer<typeof jobPayload>

/** As defined; absent: an older agent. */
const machineSize = z.object({ cpuCores: z.int(), memoryMb: z.int() }).optional()

/** With or without a prefix. */
const toldAddresses = z.array(z.string().max(64)).max(256)

/** What it may send from, for a resize with a network. */
const admitted = toldAddresses.optional()

/** Added addresses. */
const inGuest = z.object({ taken: toldAddresses, answered: toldAddresses })
export type InGuest = z.infer<typeof inGuest>

/** Null: unknown. */
const unbootableImage = z.object({ file: z.string().max(120), sha256: z.string().max(64).nullable() })
export type UnbootableImage = z.infer<typeof unbootableImage>

/** `addedBytes`: before compression; null: made before. `hostKey`: of its guest, if known. */
const backupMade = z.object({
  diskBytes: z.number().min(0),
  addedBytes: z.number().min(0).nullable(),
  hostKey: z.string().max(200).nullable(),
  /** Its guest could become another machine; null: unknown. */
  isMovable: z.boolean().nullable().optional(),
})
export type BackupMade = z.infer<typeof backupMade>

/** `detail`: restic's words, without secrets. */
const backupsChecked = z.object({ isWhole: z.boolean(), detail: z.string().max(1000) })
export type BackupsChecked = z.infer<typeof backupsChecked>

/** What a finished job found. */
export const jobResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** After the act. */
    power: z.enum([...powers, 'absent']),
    /** SSH accepted the delivered password; never true where readiness is not ssh. */
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
    /** The hypervisor's words, without secrets. */
    detail: z.string().max(4000),
    /** Another try cannot help. */
    final: z.boolean(),
    aborted: z.boolean(),
    power: z.enum([...powers, 'absent']),
    size: machineSize,
    admitted,
    unbootable: unbootableImage.optional(),
    /** Of an install: a login to it was proven before, or to what was made of it since. */
    delivered: z.boolean().optional(),
  }),
])
export type JobResult = z.infer<typeof jobResult>

/** Our worker's. `lock`, for a suspension: another password, sessions ended; `unlock`: the owner's again. */
export const sshPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('install'), ssh: z.literal('set-up') }),
  z.object({ kind: z.literal('restart'), ssh: z.literal('restart') }),
  z.object({ kind: z.literal('stop'), ssh: z.enum(['power-off', 'lock']) }),
  z.object({ kind: z.literal('start'), ssh: z.literal('unlock') }),
  z.object({ kind: z.literal('resetPassword'), ssh: z.literal('reset-password') }),
])
export type SshPayload = z.infer<typeof sshPayload>

/** For operators. */
export const jobLogLine = z.object({ at: z.string(), text: z.string() })
export type JobLogLine = z.infer<typeof jobLogLine>
