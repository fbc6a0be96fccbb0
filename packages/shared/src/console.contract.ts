import * as z from 'zod'
import { label, wordOf } from './fields.contract.js'
import { jobStep } from './jobs.contract.js'
import { jobKinds, jobStatuses } from './jobs.js'
import { orderStatuses } from './orders.js'
import { installStatuses, onlineStatuses, powers, serverDrivers, snapshotStates } from './servers.js'
import * as text from './text.js'

/** Part 2 section 3; ISO times. */
export const serverView = z.object({
  id: z.uuid(),
  orderId: z.uuid().nullable(),
  serverName: z.string(),
  orderNumber: z.string().nullable(),
  /** As people reach it: the outside one if shared. */
  ipAddress: z.string().nullable(),
  ipAddresses: z.array(z.string()),
  /** Own addresses behind shared ones, with outside ports. */
  forwarded: z.array(z.object({ address: z.string(), outside: z.string(), firstPort: z.int(), ports: z.int() })),
  /** Added while it ran; `inGuest`: its system took it. */
  addedAddresses: z.array(z.object({ address: z.string(), cidr: z.string(), inGuest: z.boolean() })),
  /** IPv6 in CIDR, each whole. */
  ipPrefixes: z.array(z.string()),
  /** As people reach it at `ipAddress`. */
  sshPort: z.number(),
  machineSshPort: z.number(),
  username: z.string(),
  osName: z.string().nullable(),
  osVersion: z.string().nullable(),
  cpuCores: z.number(),
  memoryGb: z.number(),
  storageGb: z.number(),
  bandwidthMbps: z.number(),
  status: z.enum(onlineStatuses),
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
  /** Seconds since the observed start. */
  uptime: z.number().nullable(),
  /** Meanwhile actions answer 409 LOCKED. */
  openJob: z.object({ id: z.uuid(), kind: wordOf(jobKinds) }).nullable(),
  /** It is on its way to another host: every act waits for that. */
  migrating: z.boolean(),
  /** That failed or was called off: it is started where it was once nothing of it is left there. */
  movesBack: z.boolean(),
  /** Nothing is done there any more; an operator sets it up elsewhere or pays it back. */
  hostLost: z.boolean(),
  driver: z.enum(serverDrivers),
  protected: z.boolean(),
  trouble: z.string().nullable(),
  /** None where not offered. */
  snapshots: z.object({ used: z.int(), most: z.int() }),
  /** Whether some are kept, whatever was bought: of it, and of its owner's other servers. */
  keptBackups: z.object({ own: z.boolean(), elsewhere: z.boolean() }),
  rescue: z.object({ offered: z.boolean(), since: z.string().nullable() }),
  /** Goes by itself at `until`. */
  iso: z.object({
    offered: z.boolean(),
    inserted: z.object({ name: z.string(), boots: z.boolean(), since: z.string(), until: z.string() }).nullable(),
    /** Booted one since its system was ours: password and port may be its owner's. */
    bootedAt: z.string().nullable(),
  }),
})
export type ServerView = z.infer<typeof serverView>

/** The last hour's means per minute, oldest first; null: nothing told. */
export const recentCpuView = z.array(z.object({ serverId: z.uuid(), values: z.array(z.number().nullable()) }))

/** Percentages 0-100, null: not measured (part 1 section 3, Monitoring). */
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
  /** Oldest first, each minute of the last hour; nulls where nothing was told. */
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

/** On its host. */
export const isoView = z.object({ id: z.uuid(), name: z.string() })
export type IsoView = z.infer<typeof isoView>

/** 60 characters. */
export const snapshotName = label.max(60, { error: text.tooLong(60) })

/** CREATING while its job is open; FAILED ones may be deleted, whatever is left. */
export const snapshotView = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(snapshotStates),
  /** What it may take at most. */
  diskGb: z.int(),
  createdAt: z.string(),
})
export type SnapshotView = z.infer<typeof snapshotView>

/** Whether SSH answered with a banner (decisions, "kvm driver"). */
export const connectionTest = z.object({
  sshConnectable: z.boolean(),
  latencyMs: z.number().nullable(),
  lastCheckTime: z.string(),
})
export type ConnectionTest = z.infer<typeof connectionTest>

/** Of a server's action log. */
export const actionLogEntry = z.object({
  id: z.uuid(),
  action: wordOf(jobKinds),
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
  /** Its order was once set up. */
  wasActive: z.boolean(),
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
  /** Middle half of this image's recent installs; null: too few. */
  typicalSeconds: z.tuple([z.number(), z.number()]).nullable(),
  error: z.string().nullable(),
})
export type InstallProgress = z.infer<typeof installProgress>
