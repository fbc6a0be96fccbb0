import * as z from 'zod'
import { label } from './fields.contract.js'
import { jobStep } from './jobs.contract.js'
import { jobKinds, jobStatuses } from './jobs.js'
import { orderStatuses } from './orders.js'
import { installStatuses, onlineStatuses, powers, serverDrivers, snapshotStates } from './servers.js'
import * as text from './text.js'

/** A server in the console (part 2 section 3); ISO times. */
export const serverView = z.object({
  id: z.uuid(),
  orderId: z.uuid().nullable(),
  serverName: z.string(),
  orderNumber: z.string().nullable(),
  /** As people reach it: the outside one where it is shared. */
  ipAddress: z.string().nullable(),
  ipAddresses: z.array(z.string()),
  /** The machine's own addresses behind shared ones, and which outside ports lead to each; none where it shares none. */
  forwarded: z.array(z.object({ address: z.string(), outside: z.string(), firstPort: z.int(), ports: z.int() })),
  /** Of those, what was added while it ran, in CIDR; `inGuest`: its system was made to take it. */
  addedAddresses: z.array(z.object({ address: z.string(), cidr: z.string(), inGuest: z.boolean() })),
  /** Of IPv6, in CIDR: every address of these is the server's. */
  ipPrefixes: z.array(z.string()),
  /** As people reach it at `ipAddress`. */
  sshPort: z.number(),
  /** Where SSH listens in the machine. */
  machineSshPort: z.number(),
  username: z.string(),
  osName: z.string().nullable(),
  osVersion: z.string().nullable(),
  cpuCores: z.number(),
  memoryGb: z.number(),
  storageGb: z.number(),
  bandwidthMbps: z.number(),
  status: z.enum(onlineStatuses),
  /** `unknown`, shown as 状态未知, where nothing was observed for 60 s. */
  power: z.enum(powers),
  powerObservedAt: z.string().nullable(),
  installStatus: z.enum(installStatuses).nullable(),
  orderStatus: z.enum(orderStatuses).nullable(),
  groupName: z.string(),
  diskType: z.string(),
  networkSpeed: z.string(),
  sshAccess: z.boolean(),
  expiryDate: z.string().nullable(),
  createTime: z.string(),
  lastUpdate: z.string(),
  /** Seconds since the last observed start. */
  uptime: z.number().nullable(),
  /** While there is one, further actions answer 409 LOCKED. */
  openJob: z.object({ id: z.uuid(), kind: z.enum(jobKinds) }).nullable(),
  driver: z.enum(serverDrivers),
  protected: z.boolean(),
  /** A sentence for its owner, or null. */
  trouble: z.string().nullable(),
  /** How many it has, and how many it may have: none where they are not offered. */
  snapshots: z.object({ used: z.int(), most: z.int() }),
  /** Whether it may go into rescue, and since when it is there. */
  rescue: z.object({ offered: z.boolean(), since: z.string().nullable() }),
  /** Whether a disc may be put into its drive, and the one that is there, until it is taken out by itself. */
  iso: z.object({
    offered: z.boolean(),
    inserted: z.object({ name: z.string(), boots: z.boolean(), since: z.string(), until: z.string() }).nullable(),
    /** It has booted one since its system was ours: password and port may be its owner's own by now. */
    bootedAt: z.string().nullable(),
  }),
})
export type ServerView = z.infer<typeof serverView>

/** How busy each was in the last hour, a mean per minute, oldest first; null where nothing was told. */
export const recentCpuView = z.array(z.object({ serverId: z.uuid(), values: z.array(z.number().nullable()) }))

/** Percentages 0-100, null where not measured (part 1 section 3, Monitoring). */
export const monitoringView = z.object({
  serverId: z.uuid(),
  serverIp: z.string().nullable(),
  status: z.enum(onlineStatuses),
  power: z.enum(powers),
  cpuUsage: z.number().nullable(),
  memoryUsage: z.number().nullable(),
  diskUsage: z.number().nullable(),
  sshConnectable: z.boolean().nullable(),
  lastCheckTime: z.string().nullable(),
  uptime: z.number().nullable(),
  /** Oldest first, about one a minute. */
  samples: z.array(
    z.object({
      at: z.string(),
      cpuUsage: z.number().nullable(),
      memoryUsage: z.number().nullable(),
      diskUsage: z.number().nullable(),
    }),
  ),
})
export type MonitoringView = z.infer<typeof monitoringView>

/** A disc that its host has. */
export const isoView = z.object({ id: z.uuid(), name: z.string() })
export type IsoView = z.infer<typeof isoView>

/** At most 60 characters. */
export const snapshotName = label.max(60, { error: text.tooLong(60) })

/** CREATING while its job is open; FAILED ones may be deleted, whatever is left of them on the host. */
export const snapshotView = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(snapshotStates),
  /** What it may take at most. */
  diskGb: z.int(),
  createdAt: z.string(),
})
export type SnapshotView = z.infer<typeof snapshotView>

/** Whether the guest's SSH port answered with a banner (decisions, "kvm driver"). */
export const connectionTest = z.object({
  sshConnectable: z.boolean(),
  latencyMs: z.number().nullable(),
  lastCheckTime: z.string(),
})
export type ConnectionTest = z.infer<typeof connectionTest>

/** One line of a server's action log. */
export const actionLogEntry = z.object({
  id: z.uuid(),
  action: z.enum(jobKinds),
  status: z.enum(jobStatuses),
  error: z.string().nullable(),
  by: z.string().nullable(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
})
export type ActionLogEntry = z.infer<typeof actionLogEntry>

/** `GET /server-management/{id}/install`. */
export const installProgress = z.object({
  serverId: z.uuid(),
  orderId: z.uuid().nullable(),
  orderStatus: z.enum(orderStatuses).nullable(),
  serverName: z.string(),
  installStatus: z.enum(installStatuses).nullable(),
  driver: z.enum(serverDrivers),
  jobId: z.uuid().nullable(),
  kind: z.enum(jobKinds).nullable(),
  steps: z.array(jobStep),
  percentage: z.int().min(0).max(100),
  attempt: z.int(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Middle half of recent installs of this image; null with too few to tell. */
  typicalSeconds: z.tuple([z.number(), z.number()]).nullable(),
  error: z.string().nullable(),
})
export type InstallProgress = z.infer<typeof installProgress>
