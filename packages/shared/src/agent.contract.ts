import * as z from 'zod'
import { awayKinds, domainConditions, hypervisors, transferStatuses } from './agent.js'
import { repositoryProblems } from './backups.js'
import { generation, jobPayload, jobResult, jobStep } from './jobs.contract.js'
import { remoteConsoleAsked } from './remote.contract.js'
import { remoteLimits } from './remote.js'
import { powers } from './servers.js'

/**
 * On every call. `machineId`: /etc/machine-id, or made in STATE_DIR. While one start (`instanceId`) is heard, others
 * are refused.
 */
export const agentIdentity = z.object({
  protocol: z.int().min(1),
  agentVersion: z.string().max(40),
  machineId: z.string().min(8).max(64),
  instanceId: z.uuid(),
  /** Starts on this STATE_DIR since the boot: dead, as this one holds its lock. */
  before: z.array(z.uuid()).max(8).default([]),
})
export type AgentIdentity = z.infer<typeof agentIdentity>

/**
 * Read with `df` and `nodememstats`, never pool-info (virtual machines, pitfall 10). Optional: absent from an older
 * agent.
 */
export const hostCapacity = z.object({
  hypervisor: z.enum(hypervisors),
  hypervisorVersion: z.string().max(80),
  cpuCores: z.int().min(1),
  memoryMb: z.int().min(1),
  diskGb: z.int().min(1),
  addressGuard: z.enum(['nwfilter', 'nftables', 'none']).optional(),
  limitsBandwidth: z.boolean().optional(),
  bootsUefi: z.boolean().optional(),
  forwardsPorts: z.boolean().optional(),
  /** Of its interfaces; absent: unknown. */
  addresses: z.array(z.ipv4()).max(1000).optional(),
  /** Its bridges that are up; absent: unknown. */
  bridges: z.array(z.string().max(15)).max(1000).optional(),
  /** Absent: its machines are emulated, or an older agent. */
  kvmWorks: z.boolean().optional(),
})
export type HostCapacity = z.infer<typeof hostCapacity>

/**
 * `hostToken`: 256 bits, base64url, kept by the agent: after a lost answer it asks with the same. Older agents get the
 * API's.
 */
export const enrolInput = agentIdentity.extend({
  enrolmentToken: z.string().min(16).max(200),
  hostToken: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
  hostname: z.string().max(120),
  capacity: hostCapacity,
})
export const enrolReply = z.object({ hostId: z.uuid(), hostName: z.string(), hostToken: z.string() })

/**
 * Waits up to `waitSeconds` for work. `freeLanes` 0 still gets tests and consoles. `running`: all jobs it holds; it
 * adopts the new attempt of one whose lease was lost, and is given again what it was given and does not name.
 */
export const claimInput = agentIdentity.extend({
  freeLanes: z.int().min(0).max(64),
  waitSeconds: z.int().min(0).max(25),
  running: z.array(z.object({ jobId: z.uuid(), attempt: z.int() })).max(64),
})

/** For restic; each machine has its own below `url`. `environment`: S3's keys and the like. All may be secret. */
const backupRepository = z.object({
  url: z.string().min(1).max(500),
  password: z.string().min(1).max(200),
  environment: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string().max(1000)),
  /** KiB per second; 0: unlimited. */
  uploadLimitKib: z.int().min(0),
  /** This host has kept backups of this server there before, and finds them. Absent: an older API, or no matter. */
  holdsBackups: z.boolean().optional(),
})
export type BackupRepository = z.infer<typeof backupRepository>

export const claimedJob = z.object({
  id: z.uuid(),
  serverId: z.uuid(),
  attempt: z.int().min(1),
  leaseSeconds: z.int(),
  generation,
  payload: jobPayload,
  /** These two: never in a journal or log. */
  secrets: z.object({ password: z.string() }).nullable(),
  repository: backupRepository.optional(),
})
export type ClaimedJob = z.infer<typeof claimedJob>

export const claimReply = z.object({
  job: claimedJob.nullable(),
  /** A banner within `connectionTestMs`. */
  connectionTests: z.array(z.object({ id: z.uuid(), address: z.string(), port: z.int() })),
  /** These two: not from an older API. */
  consoles: z.array(remoteConsoleAsked).max(remoteLimits.handedAtOnce).default([]),
  /** Opened or made, written, read, cleared. */
  repositoryTests: z
    .array(z.object({ id: z.uuid(), repository: backupRepository }))
    .max(8)
    .default([]),
})
export type ClaimReply = z.infer<typeof claimReply>

/** By the host's clock, as the steps' moments. Absent: an older agent. */
const toldAt = z.iso.datetime().optional()

/** Every 10 s while a job runs: extends its lease. */
export const beatInput = agentIdentity.extend({
  at: toldAt,
  jobId: z.uuid(),
  attempt: z.int(),
  steps: z.array(jobStep).max(40),
  percentage: z.int().min(0).max(100),
})
/**
 * `lost`: another's lease: stop without reporting. `abort`: undo what is half done, then finish. `overtaken`: and wait for
 * no guest; an act that turns it off follows. Not told by an API of the version before.
 */
export const beatReply = z.object({ lost: z.boolean(), abort: z.boolean(), overtaken: z.boolean().optional() })

/** Ends a job that runs with this attempt; repeatable. */
export const finishInput = agentIdentity.extend({
  at: toldAt,
  jobId: z.uuid(),
  attempt: z.int(),
  steps: z.array(jobStep).max(40),
  percentage: z.int().min(0).max(100),
  result: jobResult,
})
export const finishReply = z.object({ accepted: z.boolean() })

const percent = z.number().min(0).max(100).nullable()
export const imageTransfer = z.object({
  file: z.string().max(120),
  bytes: z.number().min(0),
  totalBytes: z.number().min(0).nullable(),
  status: z.enum(transferStatuses),
  /** For an operator; no address. */
  error: z.string().max(300).nullable(),
})
export type ImageTransfer = z.infer<typeof imageTransfer>
export const hypervisorAway = z.object({
  kind: z.enum(awayKinds),
  detail: z.string().max(500),
})
export type Away = z.infer<typeof hypervisorAway>

/** Every 10 s. */
export const reportInput = agentIdentity.extend({
  at: z.iso.datetime(),
  host: z.object({ cpuUsage: percent, memoryUsage: percent, diskUsage: percent, load1: z.number().nullable() }),
  domains: z
    .array(
      z.object({
        serverId: z.uuid(),
        power: z.enum(powers),
        condition: z.enum(domainConditions).nullable().default(null),
        cpuUsage: percent,
        memoryUsage: percent,
        diskUsage: percent,
        uptimeSeconds: z.number().nullable(),
        /** Bytes since the domain's start. */
        rxBytes: z.number().nullable(),
        txBytes: z.number().nullable(),
      }),
    )
    .max(5000),
  /** Set: its domains may be missing. */
  away: hypervisorAway.nullable().default(null),
  transfers: z.array(imageTransfer).max(500).default([]),
})
export type Report = z.infer<typeof reportInput>
export type DomainReport = Report['domains'][number]

/** Every 30 s and after every destroy: all that is there. */
export const inventoryInput = agentIdentity.extend({
  /** Only an inventory begun after a destroy ended may release its place. */
  beganAt: z.iso.datetime(),
  /** Whatever the host's clock says. */
  readMs: z.int().min(0).optional(),
  capacity: hostCapacity,
  /** Bytes; a checksum is null until read. */
  images: z
    .array(
      z.object({
        file: z.string().max(255),
        bytes: z.number(),
        sha256: z.string().max(64).nullable().optional(),
        broken: z.string().max(300).nullable().default(null),
      }),
    )
    .max(500),
  /** By hash: changed copies, and the disks that rest on each. */
  changedBases: z
    .array(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), disks: z.int().min(0) }))
    .max(500)
    .default([]),
  domains: z
    .array(
      z.object({
        /** The server's id. */
        uuid: z.string().max(36),
        name: z.string().max(1000),
        power: z.enum(powers),
        generation: generation.nullable(),
        macs: z.array(z.string().max(64)).max(256),
        /** All that it may send from; absent: unknown. */
        addresses: z
          .array(z.union([z.ipv4(), z.ipv6()]))
          .max(64)
          .optional(),
        /** Then nothing else is told. */
        unreadable: z.string().max(300).nullable().default(null),
        size: z.object({ cpuCores: z.int(), memoryMb: z.int() }).nullable().default(null),
        /** Where it is not the size's. */
        currentMemoryMb: z.int().optional(),
        /** Absent: unknown, here and below. */
        autostart: z.boolean().optional(),
        diskGb: z.int().optional(),
        /** By hand: its name is not the one that was made. */
        renamed: z.boolean().optional(),
        /** No file is where it was made. */
        diskMissing: z.boolean().optional(),
        /** Its file, where it is not the one that was made. */
        otherDisk: z.string().max(500).optional(),
        snapshots: z.array(z.uuid()).max(100).optional(),
        /** Defined for it; null: its own disk. */
        rescueId: z.uuid().nullable().optional(),
        /** In its defined drive; null: none. */
        isoId: z.uuid().nullable().optional(),
        /** The revision that holds; absent: none. */
        firewall: z.int().optional(),
        /** 0: unlimited; absent: it cannot limit. */
        bandwidthMbps: z.object({ inbound: z.int().min(0), outbound: z.int().min(0) }).optional(),
        /** Off, it is gone. */
        transient: z.boolean().default(false),
        /** It can send only as itself; absent: the host cannot hold it. */
        guarded: z.boolean().optional(),
      }),
    )
    .max(5000),
  /** `{server id}.{epoch}.{number}.qcow2` and `.seed.iso`; an interrupted act's leftovers have a further ending. */
  volumes: z.array(z.object({ name: z.string().max(255), bytes: z.number() })).max(20000),
})
export type Inventory = z.infer<typeof inventoryInput>
export type InventoryTold = z.input<typeof inventoryInput>
/** http and https only, never a file of the host. */
export const downloadUrl = z.url({ protocol: /^https?$/ }).regex(/^https?:\/\//i)

/** To be on the host, and its source. */
export const wantedImage = z.object({
  file: z.string().regex(/^[A-Za-z0-9._-]{1,120}$/),
  url: downloadUrl,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type WantedImage = z.infer<typeof wantedImage>
/** All that a server may send from; `prefixes` whole. */
const hostNetwork = z.object({
  serverId: z.uuid(),
  addresses: z.array(z.union([z.ipv4(), z.ipv6()])).max(64),
  prefixes: z.array(z.cidrv6()).max(64).default([]),
})
export type HostNetwork = z.infer<typeof hostNetwork>

/** Leaves jobs that the agent did not list to the sweep. */
export const inventoryReply = z.object({
  ok: z.literal(true),
  images: z.array(wantedImage).max(500).default([]),
  networks: z.array(hostNetwork).max(5000).default([]),
  /** Link-local gateways of the host's pools: no guest may speak as one. */
  routers: z.array(z.ipv6()).max(500).default([]),
})

export const connectionTestedInput = agentIdentity.extend({
  id: z.uuid(),
  sshConnectable: z.boolean(),
  latencyMs: z.number().nullable(),
  at: z.iso.datetime(),
})

/** `problem` null: all went well. `detail`: restic's words, without secrets. */
export const repositoryTestedInput = agentIdentity.extend({
  id: z.uuid(),
  problem: z.enum(repositoryProblems).nullable(),
  detail: z.string().max(1000),
})
