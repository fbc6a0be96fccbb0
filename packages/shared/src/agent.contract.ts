import * as z from 'zod'
import { awayKinds, domainConditions, hypervisors, transferStatuses } from './agent.js'
import { generation, jobPayload, jobResult, jobStep } from './jobs.contract.js'
import { powers } from './servers.js'

/**
 * Carried by every call. `machineId` is the host's /etc/machine-id (or one made in STATE_DIR), `instanceId` is made at
 * each start of the agent. One start speaks for a host as long as it is heard: another one, or another machine, is
 * refused.
 */
export const agentIdentity = z.object({
  protocol: z.int().min(1),
  agentVersion: z.string().max(40),
  machineId: z.string().min(8).max(64),
  instanceId: z.uuid(),
  /** The last starts on the same STATE_DIR since its machine was booted: dead, because this one holds its lock. */
  before: z.array(z.uuid()).max(8).default([]),
})
export type AgentIdentity = z.infer<typeof agentIdentity>

/**
 * What the host has to give: read with `df` and `nodememstats`, never with pool-info (virtual machines, pitfall 10).
 */
export const hostCapacity = z.object({
  hypervisor: z.enum(hypervisors),
  hypervisorVersion: z.string().max(80),
  cpuCores: z.int().min(1),
  memoryMb: z.int().min(1),
  diskGb: z.int().min(1),
  /** How the host keeps a guest from sending as somebody else. Absent from an older agent. */
  addressGuard: z.enum(['nwfilter', 'nftables', 'none']).optional(),
  /** Whether it can limit a machine's bandwidth. Absent from an older agent. */
  limitsBandwidth: z.boolean().optional(),
})
export type HostCapacity = z.infer<typeof hostCapacity>

export const enrolInput = agentIdentity.extend({
  enrolmentToken: z.string().min(16).max(200),
  hostname: z.string().max(120),
  capacity: hostCapacity,
})
export const enrolReply = z.object({ hostId: z.uuid(), hostName: z.string(), hostToken: z.string() })

/**
 * Asks for work. Answered at once when there is some, else after at most `waitSeconds`. `freeLanes` 0 still gets
 * connection tests. `running` lists the jobs that this agent holds: one of them may be handed out again with a new
 * attempt number after a lost lease; the agent adopts the number and carries on.
 */
export const claimInput = agentIdentity.extend({
  freeLanes: z.int().min(0).max(64),
  waitSeconds: z.int().min(0).max(25),
  running: z.array(z.object({ jobId: z.uuid(), attempt: z.int() })).max(64),
})

export const claimedJob = z.object({
  id: z.uuid(),
  serverId: z.uuid(),
  attempt: z.int().min(1),
  leaseSeconds: z.int(),
  generation,
  payload: jobPayload,
  /** Only for kinds that need a password. Never written to a journal or a log. */
  secrets: z.object({ password: z.string() }).nullable(),
})
export type ClaimedJob = z.infer<typeof claimedJob>

export const claimReply = z.object({
  job: claimedJob.nullable(),
  /** Try each guest's SSH port for a banner within 8 s and answer with `connectionTested`. */
  connectionTests: z.array(z.object({ id: z.uuid(), address: z.string(), port: z.int() })),
})
export type ClaimReply = z.infer<typeof claimReply>

/** Every 10 s while a job runs: extends the lease, tells steps, and brings back a wish to abort. */
export const beatInput = agentIdentity.extend({
  jobId: z.uuid(),
  attempt: z.int(),
  steps: z.array(jobStep).max(40),
  percentage: z.int().min(0).max(100),
})
/**
 * `lost`: the lease belongs to somebody else now, stop without reporting. `abort`: stop, undo what is half done, then
 * finish.
 */
export const beatReply = z.object({ lost: z.boolean(), abort: z.boolean() })

/**
 * Ends a job. Refused (`accepted: false`) unless the row is still running with this attempt; repeating an accepted one
 * is harmless.
 */
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
  /** Why it failed, for an operator; holds no address. */
  error: z.string().max(300).nullable(),
})
export type ImageTransfer = z.infer<typeof imageTransfer>
export const hypervisorAway = z.object({
  kind: z.enum(awayKinds),
  /** For an operator: what was tried, and what it said. */
  detail: z.string().max(500),
})
export type Away = z.infer<typeof hypervisorAway>

/** Every 10 s: the host's own figures and a line per domain that the host knows. */
export const reportInput = agentIdentity.extend({
  at: z.iso.datetime(),
  host: z.object({ cpuUsage: percent, memoryUsage: percent, diskUsage: percent, load1: z.number().nullable() }),
  domains: z
    .array(
      z.object({
        serverId: z.uuid(),
        power: z.enum(powers),
        /** Null when nothing is wrong with it; absent from an older agent. */
        condition: z.enum(domainConditions).nullable().default(null),
        cpuUsage: percent,
        memoryUsage: percent,
        diskUsage: percent,
        /** Seconds since the domain was started, where known. */
        uptimeSeconds: z.number().nullable(),
        /** Bytes since the domain was started; the API turns them into monthly counters. */
        rxBytes: z.number().nullable(),
        txBytes: z.number().nullable(),
      }),
    )
    .max(5000),
  /** Null when the host can work; else nothing is known of its domains just now. */
  away: hypervisorAway.nullable().default(null),
  /** Images with an address that are not here yet; told more often while one is coming in. */
  transfers: z.array(imageTransfer).max(500).default([]),
})
export type Report = z.infer<typeof reportInput>
export type DomainReport = Report['domains'][number]

/** Every 30 s and after every destroy: all that is there, so that strays and losses are a set difference. */
export const inventoryInput = agentIdentity.extend({
  /** When reading began. Only an inventory begun after a destroy ended may release its place. */
  beganAt: z.iso.datetime(),
  capacity: hostCapacity,
  /**
   * Whole image files, with size in bytes and checksum: null while it was not read yet, absent from an agent that does
   * not fetch images. Files that are still coming in are never among them.
   */
  images: z
    .array(
      z.object({
        file: z.string().max(255),
        bytes: z.number(),
        sha256: z.string().max(64).nullable().optional(),
        /** Why no machine can be made of it; null for one that is whole as far as can be seen. */
        broken: z.string().max(300).nullable().default(null),
      }),
    )
    .max(500),
  /** By their hash, copies of images whose content is no longer what it was, with how many disks rest on each. */
  changedBases: z
    .array(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), disks: z.int().min(0) }))
    .max(500)
    .default([]),
  domains: z
    .array(
      z.object({
        /** UUID of the domain, which is the server's id. */
        uuid: z.string().max(36),
        name: z.string().max(1000),
        power: z.enum(powers),
        generation: generation.nullable(),
        macs: z.array(z.string().max(64)).max(256),
        /** Why its definition could not be read; all that is told of it then is that it is there. */
        unreadable: z.string().max(300).nullable().default(null),
        /** As defined; null where it is not known. */
        size: z.object({ cpuCores: z.int(), memoryMb: z.int() }).nullable().default(null),
        /** Whether it comes back with its host; absent where it is not known, as all that follows. */
        autostart: z.boolean().optional(),
        diskGb: z.int().optional(),
        /** As defined, 0 unlimited; absent, too, where the host cannot limit it. */
        bandwidthMbps: z.object({ inbound: z.int().min(0), outbound: z.int().min(0) }).optional(),
        /** It runs without a definition: once it is off it is gone. */
        transient: z.boolean().default(false),
        /** Of a running machine of ours: whether it can send as itself alone. Absent where the host cannot do that. */
        guarded: z.boolean().optional(),
      }),
    )
    .max(5000),
  /**
   * Volumes and seed images found in our storage folder, by file name: `{server id}.{epoch}.{number}.qcow2` and
   * `{server id}.{epoch}.{number}.seed.iso`, stamped with the generation that made them. The first 36 characters are
   * the server's id; leftovers of an interrupted act carry a further ending.
   */
  volumes: z.array(z.object({ name: z.string().max(255), bytes: z.number() })).max(20000),
})
export type Inventory = z.infer<typeof inventoryInput>
/** As an agent sends it: what an older one does not know of may be missing. */
export type InventoryTold = z.input<typeof inventoryInput>
/** What an agent may fetch: http and https only, never a file of the host itself. */
export const downloadUrl = z.url({ protocol: /^https?$/ }).regex(/^https?:\/\//i)

/** An image that the host should have, and where it comes from. */
export const wantedImage = z.object({
  file: z.string().regex(/^[A-Za-z0-9._-]{1,120}$/),
  url: downloadUrl,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type WantedImage = z.infer<typeof wantedImage>
/** The addresses of one of the host's servers: all that it may send from. */
const hostNetwork = z.object({ serverId: z.uuid(), addresses: z.array(z.union([z.ipv4(), z.ipv6()])).max(64) })
export type HostNetwork = z.infer<typeof hostNetwork>

/** Jobs that the API believes this agent holds although the agent did not list them are left to the sweep. */
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
