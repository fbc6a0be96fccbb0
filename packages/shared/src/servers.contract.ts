import * as z from 'zod'
import { testFailures } from './dedicated.js'
import { label, plain, usagePoint, wholeNumber } from './fields.contract.js'
import {
  metricRanges,
  mostBackups,
  onlineStatuses,
  powers,
  serverDrivers,
  type ServerSpec,
  specLimits,
  sshPortFault,
  sshPorts,
  sshPortWrong,
} from './servers.js'
import * as text from './text.js'

const within = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max)

/** As it is sold. */
export const serverSpec = z.object({
  cpuCores: within(specLimits.cpuCores),
  memoryGb: within(specLimits.memoryGb),
  storageGb: within(specLimits.storageGb),
  bandwidthMbps: within(specLimits.bandwidthMbps),
  ipCount: within(specLimits.ipCount),
}) satisfies z.ZodType<ServerSpec>

/** Kept at most. */
export const backupCount = z
  .int({ error: text.badBackups })
  .min(0, { error: text.badBackups })
  .max(mostBackups, { error: text.badBackups })

/** Blank: 22 (decisions, "Access"). */
export const sshPort = z
  .int({ error: sshPortWrong })
  .refine((port) => sshPortFault(port) === null, { error: sshPortWrong })
  .meta({ minimum: 22, maximum: sshPorts.max, description: `22 或 ${sshPorts.min} 至 ${sshPorts.max}` })

/** Means per step, oldest first; null: no sample. Bytes per second. */
export const metricSeries = z.object({
  range: z.enum(metricRanges),
  stepSeconds: z.int(),
  points: z.array(usagePoint.extend({ rxRate: z.number().nullable(), txRate: z.number().nullable() })),
})
export type MetricSeries = z.infer<typeof metricSeries>

const ipv4 = plain({ error: text.required })
  .min(1, { error: text.required })
  .regex(/^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/, { error: text.badIpAddress })

/** Part 2 section 3, Server. The password is write-only. */
export const dedicatedServerInput = z.object({
  groupId: z.uuid({ error: text.groupRequired }),
  ip: ipv4,
  port: z.int({ error: text.badPort }).min(1, { error: text.badPort }).max(65_535, { error: text.badPort }).default(22),
  username: z
    .string({ error: text.required })
    .trim()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/, { error: text.badUsername }),
  /** Absent on edit: kept. */
  password: z.string().min(1, { error: text.required }).max(128).optional(),
  status: z.enum(onlineStatuses, { error: text.badStatus }).default('OFFLINE'),
  isSold: z.boolean().optional(),
  operatingSystem: label,
  cpuCores: wholeNumber(1, 1024),
  memory: wholeNumber(1, 65_536),
  diskSpace: wholeNumber(1, 1_000_000),
  diskType: z
    .string()
    .trim()
    .max(40, { error: text.tooLong(40) })
    .default('SSD'),
  networkSpeed: z
    .string()
    .trim()
    .max(60, { error: text.tooLong(60) })
    .default(''),
  /** On edit: made anew in place; its next key is its own. */
  isReimaged: z.boolean().optional(),
  /** As read, else CONFLICT; absent: saved. */
  version: z.int().optional(),
})
export type DedicatedServerInput = z.infer<typeof dedicatedServerInput>

/** Never its password. */
export const adminServer = z.object({
  id: z.uuid(),
  driver: z.enum(serverDrivers),
  name: z.string(),
  groupId: z.uuid(),
  groupName: z.string(),
  ip: z.string().nullable(),
  port: z.int(),
  username: z.string(),
  status: z.enum(onlineStatuses),
  power: z.enum(powers),
  isSold: z.boolean(),
  needsCleaning: z.boolean(),
  /** Of a dedicated server, by its last test; null: reached, or not tested. */
  testFailure: z.enum(testFailures).nullable(),
  operatingSystem: z.string().nullable(),
  cpuCores: z.int(),
  memory: z.int(),
  diskSpace: z.int(),
  diskType: z.string(),
  networkSpeed: z.string(),
  orderId: z.uuid().nullable(),
  orderNumber: z.string().nullable(),
  ownerId: z.uuid().nullable(),
  ownerName: z.string().nullable(),
  hostId: z.uuid().nullable(),
  hostName: z.string().nullable(),
  version: z.int(),
  createdAt: z.string(),
})
export type AdminServer = z.infer<typeof adminServer>
