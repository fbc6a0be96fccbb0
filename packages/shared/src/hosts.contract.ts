import * as text from './text.js'
import * as z from 'zod'
import { label, usagePoint, wordOf } from './fields.contract.js'
import { allFindingKinds } from './findings.js'
import { hostOrders, hostStates, hostStatuses, hostTroubleLevels } from './hosts.js'
import { searchPageInput } from './page.contract.js'
import { metricRanges } from './servers.js'

/** Memory in MB, disk in GB, percentages 0-100. */
export const hostView = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(hostStatuses),
  alive: z.boolean(),
  hypervisor: z.string().nullable(),
  hypervisorVersion: z.string().nullable(),
  agentVersion: z.string().nullable(),
  lastSeenAt: z.string().nullable(),
  cpuCores: z.int(),
  cpuOvercommit: z.number(),
  usedCpu: z.int(),
  memoryMb: z.int(),
  reservedMemoryMb: z.int(),
  usedMemoryMb: z.int(),
  diskGb: z.int(),
  usedDiskGb: z.int(),
  cpuUsage: z.number().nullable(),
  memoryUsage: z.number().nullable(),
  diskUsage: z.number().nullable(),
  servers: z.int(),
  releasing: z.int(),
  openJobs: z.int(),
  findings: z.int(),
  /** The worst known. */
  trouble: z
    .object({ level: z.enum(hostTroubleLevels), since: z.string(), kinds: z.array(wordOf(allFindingKinds)) })
    .nullable(),
  images: z.array(z.string()),
  groups: z.array(z.object({ id: z.uuid(), name: z.string() })),
  pools: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Free in its pools, which others may share. */
  addresses: z.object({ used: z.int(), free: z.int() }),
  bridge: z.string().nullable(),
  version: z.int(),
})
export type HostView = z.infer<typeof hostView>

/** `state` SILENT: heard once, not within the last minute, neither lost nor retired. */
export const hostPageInput = searchPageInput.extend({
  state: z.enum(hostStates, { error: text.badStatus }).optional(),
  groupId: z.uuid().optional(),
  poolId: z.uuid().optional(),
  order: z.enum(hostOrders).default('name'),
})
export type HostPageInput = z.infer<typeof hostPageInput>

/** Means per step, oldest first, percentages; null: nothing told. Load as the kernel counts. */
export const hostLoad = z.object({
  range: z.enum(metricRanges),
  stepSeconds: z.int(),
  points: z.array(usagePoint.extend({ load1: z.number().nullable() })),
})
export type HostLoad = z.infer<typeof hostLoad>

/** Null: a host younger than `growthDays`. */
export const hostGrowth = z
  .object({ servers: z.int(), cpuCores: z.int(), memoryMb: z.int(), diskGb: z.int() })
  .nullable()

const notNegative = { error: '需为0或更大的整数' }

export const bridge = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{1,15}$/, { error: '网桥名称格式不正确' })
  .nullish()
  .transform((name) => name ?? null)
/** Refused: machines would be on another network than meant. */
export const vlan = z
  .null({ error: '不支持 VLAN：请在宿主机上为该 VLAN 建立网桥，并填写网桥名称' })
  .optional()
  .transform(() => undefined)
const differentIds = z
  .array(z.uuid())
  .max(100)
  .transform((ids) => [...new Set(ids)])
const hostSettings = {
  name: label,
  groupIds: differentIds,
  poolIds: differentIds,
  cpuOvercommit: z
    .number({ error: text.badOvercommit })
    .min(1, { error: text.badOvercommit })
    .max(16, { error: text.badOvercommit })
    .default(4),
  reservedMemoryMb: z.int(notNegative).min(0, notNegative).default(0),
  bridge,
  vlan,
}
export const createHostInput = z.object(hostSettings)
/** With the `version` read, else CONFLICT; absent: saved. */
export const updateHostInput = z.object({ id: z.uuid(), ...hostSettings, version: z.int().optional() })
const hostStatus = z.enum(hostStatuses, { error: text.badStatus })
/** From the state `seen`, else STATE_CHANGED; absent: from any. */
export const moveHostInput = z.object({ id: z.uuid(), status: hostStatus, seen: hostStatus.optional() })

/** A one-time command for the host. */
export const enrolmentView = z.object({ id: z.uuid(), token: z.string(), command: z.string(), expiresAt: z.string() })
