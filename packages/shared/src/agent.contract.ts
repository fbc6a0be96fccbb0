import * as z from 'zod'
import { awayKinds, domainConditions, hypervisors, transferStatuses } from './agent.js'
import { repositoryProblems } from './backups.js'
import { generation, jobPayload, jobResult, jobStep } from './jobs.contract.js'
import { remoteConsoleAsked } from './remote.contract.js'
import { powers } from './servers.js'

/**
 * Carried by every call. `machineId`: /etc/machine-id, or one made in STATE_DIR; `instanceId`: made at each start. One
 * start speaks for a host as long as it is heard; any other is refused.
 */
export const agentIdentity = z.object({
  protocol: z.int().min(1),
  agentVersion: z.string().max(40),
  machineId: z.string().min(8).max(64),
  instanceId: z.uuid(),
  /** The last starts on this STATE_DIR since the machine was booted: dead, because this one holds its lock. */
  before: z.array(z.uuid()).max(8).default([]),
})
export type AgentIdentity = z.infer<typeof agentIdentity>

/** Read with `df` and `nodememstats`, never with pool-info (virtual machines, pitfall 10). */
export const hostCapacity = z.object({
  hypervisor: z.enum(hypervisors),
  hypervisorVersion: z.string().max(80),
  cpuCores: z.int().min(1),
  memoryMb: z.int().min(1),
  diskGb: z.int().min(1),
  /** Absent from an older agent. */
  addressGuard: z.enum(['nwfilter', 'nftables', 'none']).optional(),
  /** Absent from an older agent. */
  limitsBandwidth: z.boolean().optional(),
  /** Whether it has the firmware; absent from an older agent. */
  bootsUefi: z.boolean().optional(),
  /** Whether machines may share its address; absent from an older agent. */
  forwardsPorts: z.boolean().optional(),
  /** The IPv4 addresses of its interfaces; absent where they are not known. */
  addresses: z.array(z.ipv4()).max(1000).optional(),
})
export type HostCapacity = z.infer<typeof hostCapacity>

/**
 * `hostToken`: 256 bits in base64url, made and kept by the agent before it asks, so that a lost answer is asked for
 * again with the same. Older agents get one of the API's.
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
 * Asks for work; answered at once or after at most `waitSeconds`. `freeLanes` 0 still gets connection tests and
 * remote consoles. `running`:
 * jobs it holds; one may come back with a new attempt number after a lost lease, which the agent adopts.
 */
export const claimInput = agentIdentity.extend({
  freeLanes: z.int().min(0).max(64),
  waitSeconds: z.int().min(0).max(25),
  running: z.array(z.object({ jobId: z.uuid(), attempt: z.int() })).max(64),
})

/**
 * Where backups are kept, as restic understands it: each machine's in a repository of its own below `url`.
 * `environment`: what that kind of storage needs, such as the keys of S3. All of it may be secret.
 */
const backupRepository = z.object({
  url: z.string().min(1).max(500),
  password: z.string().min(1).max(200),
  environment: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string().max(1000)),
  /** KiB per second; 0 means unlimited. */
  uploadLimitKib: z.int().min(0),
})
export type BackupRepository = z.infer<typeof backupRepository>

export const claimedJob = z.object({
  id: z.uuid(),
  serverId: z.uuid(),
  attempt: z.int().min(1),
  leaseSeconds: z.int(),
  generation,
  payload: jobPayload,
  /** For kinds that need a password; never in a journal or a log. */
  secrets: z.object({ password: z.string() }).nullable(),
  /** For kinds that reach for backups; never in a journal or a log. */
  repository: backupRepository.optional(),
})
export type ClaimedJob = z.infer<typeof claimedJob>

export const claimReply = z.object({
  job: claimedJob.nullable(),
  /** Tried for a banner within 8 s, answered with `connectionTested`. */
  connectionTests: z.array(z.object({ id: z.uuid(), address: z.string(), port: z.int() })),
  /** Somebody waits to see these; brought to `agentRemotePath`. Not sent by an older API. */
  consoles: z.array(remoteConsoleAsked).max(64).default([]),
  /** Opened, made, written, read and cleared again; answered with `repositoryTested`. Not sent by an older API. */
  repositoryTests: z
    .array(z.object({ id: z.uuid(), repository: backupRepository }))
    .max(8)
    .default([]),
})
export type ClaimReply = z.infer<typeof claimReply>

/** Every 10 s while a job runs: extends the lease, tells steps, brings back an abort. */
export const beatInput = agentIdentity.extend({
  jobId: z.uuid(),
  attempt: z.int(),
  steps: z.array(jobStep).max(40),
  percentage: z.int().min(0).max(100),
})
/** `lost`: the lease is somebody else's, stop without reporting. `abort`: undo what is half done, then finish. */
export const beatReply = z.object({ lost: z.boolean(), abort: z.boolean() })

/** Ends a job. Not accepted unless it still runs with this attempt; harmless to repeat. */
export const finishInput = agentIdentity.extend({
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
  /** For an operator; holds no address. */
  error: z.string().max(300).nullable(),
})
export type ImageTransfer = z.infer<typeof imageTransfer>
export const hypervisorAway = z.object({
  kind: z.enum(awayKinds),
  detail: z.string().max(500),
})
export type Away = z.infer<typeof hypervisorAway>

/** Every 10 s: the host's figures and a line per domain. */
export const reportInput = agentIdentity.extend({
  at: z.iso.datetime(),
  host: z.object({ cpuUsage: percent, memoryUsage: percent, diskUsage: percent, load1: z.number().nullable() }),
  domains: z
    .array(
      z.object({
        serverId: z.uuid(),
        power: z.enum(powers),
        /** Absent from an older agent. */
        condition: z.enum(domainConditions).nullable().default(null),
        cpuUsage: percent,
        memoryUsage: percent,
        diskUsage: percent,
        uptimeSeconds: z.number().nullable(),
        /** Bytes since the domain was started. */
        rxBytes: z.number().nullable(),
        txBytes: z.number().nullable(),
      }),
    )
    .max(5000),
  /** Null when the host can work; else what is told of its domains may be nothing. */
  away: hypervisorAway.nullable().default(null),
  /** Images to be fetched that are not here yet. */
  transfers: z.array(imageTransfer).max(500).default([]),
})
export type Report = z.infer<typeof reportInput>
export type DomainReport = Report['domains'][number]

/** Every 30 s and after every destroy: all that is there; strays and losses are a set difference. */
export const inventoryInput = agentIdentity.extend({
  /** When reading began: only an inventory begun after a destroy ended may release its place. */
  beganAt: z.iso.datetime(),
  /** How long it took to read, whatever the host's clock says; absent from an older agent. */
  readMs: z.int().min(0).optional(),
  capacity: hostCapacity,
  /** Whole files in bytes; a checksum is null until it was read, absent from an agent that fetches none. */
  images: z
    .array(
      z.object({
        file: z.string().max(255),
        bytes: z.number(),
        sha256: z.string().max(64).nullable().optional(),
        /** Why no machine can be made of it; null for a whole one. */
        broken: z.string().max(300).nullable().default(null),
      }),
    )
    .max(500),
  /** Copies, by hash, whose content has changed, and how many disks rest on each. */
  changedBases: z
    .array(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), disks: z.int().min(0) }))
    .max(500)
    .default([]),
  domains: z
    .array(
      z.object({
        /** The domain's UUID is the server's id. */
        uuid: z.string().max(36),
        name: z.string().max(1000),
        power: z.enum(powers),
        generation: generation.nullable(),
        macs: z.array(z.string().max(64)).max(256),
        /** All that it may send from by its definition; absent where that says nothing. */
        addresses: z
          .array(z.union([z.ipv4(), z.ipv6()]))
          .max(64)
          .optional(),
        /** Why its definition could not be read; nothing else is told of it then. */
        unreadable: z.string().max(300).nullable().default(null),
        size: z.object({ cpuCores: z.int(), memoryMb: z.int() }).nullable().default(null),
        /** Absent where it is not known, as all that follows. */
        autostart: z.boolean().optional(),
        diskGb: z.int().optional(),
        /** What its disk holds of those that were ordered. */
        snapshots: z.array(z.uuid()).max(100).optional(),
        /** The rescue that it is defined for; null: its own disk. */
        rescueId: z.uuid().nullable().optional(),
        /** The disc that its definition has in the drive; null: none. */
        isoId: z.uuid().nullable().optional(),
        /** The revision of the rules that hold for it; absent where there are none. */
        firewall: z.int().optional(),
        /** 0 unlimited; absent, too, where the host cannot limit it. */
        bandwidthMbps: z.object({ inbound: z.int().min(0), outbound: z.int().min(0) }).optional(),
        /** Once it is off it is gone. */
        transient: z.boolean().default(false),
        /** Whether a running machine can send as itself alone; absent where the host cannot hold it to that. */
        guarded: z.boolean().optional(),
      }),
    )
    .max(5000),
  /**
   * `{server id}.{epoch}.{number}.qcow2` and `.seed.iso`, named by the generation that made them; leftovers of an
   * interrupted act carry a further ending.
   */
  volumes: z.array(z.object({ name: z.string().max(255), bytes: z.number() })).max(20000),
})
export type Inventory = z.infer<typeof inventoryInput>
/** As sent: what an older agent does not know may be missing. */
export type InventoryTold = z.input<typeof inventoryInput>
/** http and https only, never a file of the host itself. */
export const downloadUrl = z.url({ protocol: /^https?$/ }).regex(/^https?:\/\//i)

/** An image that the host should have, and where it comes from. */
export const wantedImage = z.object({
  file: z.string().regex(/^[A-Za-z0-9._-]{1,120}$/),
  url: downloadUrl,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type WantedImage = z.infer<typeof wantedImage>
/** All that a server may send from; of `prefixes` every address is its own. */
const hostNetwork = z.object({
  serverId: z.uuid(),
  addresses: z.array(z.union([z.ipv4(), z.ipv6()])).max(64),
  prefixes: z.array(z.cidrv6()).max(64).default([]),
})
export type HostNetwork = z.infer<typeof hostNetwork>

/** Jobs that the agent did not list are left to the sweep. */
export const inventoryReply = z.object({
  ok: z.literal(true),
  images: z.array(wantedImage).max(500).default([]),
  networks: z.array(hostNetwork).max(5000).default([]),
})

export const connectionTestedInput = agentIdentity.extend({
  id: z.uuid(),
  sshConnectable: z.boolean(),
  latencyMs: z.number().nullable(),
  at: z.iso.datetime(),
})

/** `problem` null: all of it went well. `detail`: restic's words, without secrets. */
export const repositoryTestedInput = agentIdentity.extend({
  id: z.uuid(),
  problem: z.enum(repositoryProblems).nullable(),
  detail: z.string().max(1000),
})
