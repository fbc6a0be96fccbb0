import * as z from 'zod'
import { text } from './text.js'

/** What a server is made of. Units are in the names: memory in GB as the shop sells it, disk in GB, bandwidth in Mbit/s. */
export type ServerSpec = {
  cpuCores: number
  memoryGb: number
  storageGb: number
  bandwidthMbps: number
  ipCount: number
}

/** How little and how much of each is sold (specification part 1 sections 3 and 9). */
export const specLimits = {
  cpuCores: { min: 1, max: 32 },
  memoryGb: { min: 1, max: 128 },
  storageGb: { min: 20, max: 2000 },
  bandwidthMbps: { min: 1, max: 1000 },
  ipCount: { min: 1, max: 10 },
} as const satisfies Record<keyof ServerSpec, { min: number; max: number }>

const within = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max)

/** A configuration as it is sold. */
export const serverSpec = z.object({
  cpuCores: within(specLimits.cpuCores),
  memoryGb: within(specLimits.memoryGb),
  storageGb: within(specLimits.storageGb),
  bandwidthMbps: within(specLimits.bandwidthMbps),
  ipCount: within(specLimits.ipCount),
}) satisfies z.ZodType<ServerSpec>

/** Used where a group has neither servers nor a structured sales document (specification part 1 section 9). */
export const defaultSpec: ServerSpec = { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }

type EnteredMachine = { cpu_cores: number; memory_gb: number; storage_gb: number; operating_system: string | null }
type System = { os_name: string; os_version: string }

const plain = (system: string) => system.toLowerCase().replaceAll(/\s/g, '')

/**
 * Whether an existing machine can be sold as this configuration: at least the cores, memory and disk, one address, and the
 * ordered system, case and spaces ignored (decisions, "Servers"). Without a system any will do.
 */
export function machineSuits(machine: EnteredMachine, spec: ServerSpec, system: System | null): boolean {
  return (
    spec.ipCount === 1 &&
    machine.cpu_cores >= spec.cpuCores &&
    machine.memory_gb >= spec.memoryGb &&
    machine.storage_gb >= spec.storageGb &&
    (system === null || plain(machine.operating_system ?? '') === plain(system.os_name + system.os_version))
  )
}

export const installStatuses = ['INSTALLING', 'COMPLETED', 'FAILED'] as const
export type InstallStatus = (typeof installStatuses)[number]

/** How a server is driven: as a virtual machine by its host's agent, or as a machine that was entered, over SSH. */
export const serverDrivers = ['kvm', 'ssh'] as const
export type ServerDriver = (typeof serverDrivers)[number]

/** Power as last observed. `unknown` is a value of its own: it never starts, stops, bills or refunds anything. */
export const powers = ['on', 'off', 'unknown'] as const
export type Power = (typeof powers)[number]

/** An observation older than this counts as unknown on every screen (decisions, "Power is observed"). */
export const powerFreshSeconds = 60

export const onlineStatuses = ['ONLINE', 'OFFLINE'] as const
export type OnlineStatus = (typeof onlineStatuses)[number]
/** What the wire calls `status`: ONLINE only where the power that is shown is `on`. */
export const onlineStatus = (shown: Power): OnlineStatus => (shown === 'on' ? 'ONLINE' : 'OFFLINE')

/** The power to show: `unknown` when nothing was observed within the last 60 s. */
export function powerNow(power: Power, observedAt: Date | null, now: Date): Power {
  if (observedAt === null || now.getTime() - observedAt.getTime() > powerFreshSeconds * 1000) return 'unknown'
  return power
}

export type UsageLevel = 'normal' | 'warning' | 'error'

/** Colour of a usage figure in percent: 80 and more is an error, 60 and more a warning (specification part 1 section 9). */
export function usageLevel(percent: number): UsageLevel {
  if (percent >= 80) return 'error'
  return percent >= 60 ? 'warning' : 'normal'
}

/** What can be asked of a machine through `POST /server-management/action` (specification part 1 section 3). */
export const serverActions = ['start', 'restart', 'stop', 'resetPassword', 'reinstall'] as const
export type ServerAction = (typeof serverActions)[number]

/** SSH port of a machine: blank means 22, and 22 itself is accepted beside 1024-65535 (decisions, "Access"). */
export const sshPort = z
  .int({ error: '端口需为1024-65535的整数' })
  .refine((port) => port === 22 || (port >= 1024 && port <= 65535), { error: '端口需为1024-65535的整数' })

/** What its owner is told of a machine while such a finding is open. */
export const serverTroubles: Record<string, string> = {
  'hung-domain': '服务器没有响应，我们正在处理。您也可以强制关机后重新启动。',
  'crashed-domain': '服务器异常退出，系统正在自动重新启动。',
  'paused-domain': '服务器已被暂停运行，我们正在处理。',
  'io-error-domain': '服务器的磁盘读写出错，已暂停运行，我们正在处理。',
  'disk-full-domain': '宿主机存储空间不足，服务器已暂停运行，我们正在处理。',
  'missing-domain': '暂时找不到这台服务器，我们正在处理。',
}

export const metricRanges = ['hour', 'day', 'week', 'month'] as const
export type MetricRange = (typeof metricRanges)[number]
/** Length of each range and of one point on its chart, in minutes. */
export const metricRangeMinutes: Record<MetricRange, { length: number; step: number }> = {
  hour: { length: 60, step: 1 },
  day: { length: 24 * 60, step: 10 },
  week: { length: 7 * 24 * 60, step: 60 },
  month: { length: 30 * 24 * 60, step: 240 },
}

/** Charts over time: mean per step, oldest first; null where no sample is. Rates in bytes per second. */
export const metricSeries = z.object({
  range: z.enum(metricRanges),
  stepSeconds: z.int(),
  points: z.array(
    z.object({
      at: z.string(),
      cpuUsage: z.number().nullable(),
      memoryUsage: z.number().nullable(),
      diskUsage: z.number().nullable(),
      rxRate: z.number().nullable(),
      txRate: z.number().nullable(),
    }),
  ),
})
export type MetricSeries = z.infer<typeof metricSeries>

const ipv4 = z
  .string({ error: text.required })
  .trim()
  .min(1, { error: text.required })
  .regex(/^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/, { error: 'IP地址格式不正确' })

/** An existing machine that an administrator enters (specification part 2 section 3, Server). The password is write-only. */
export const enteredServerInput = z.object({
  groupId: z.uuid({ error: '请选择服务器分组' }),
  ip: ipv4,
  port: z
    .int({ error: '端口需为1-65535的整数' })
    .min(1, { error: '端口需为1-65535的整数' })
    .max(65_535, { error: '端口需为1-65535的整数' })
    .default(22),
  username: z
    .string({ error: text.required })
    .trim()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/, { error: '用户名格式不正确' }),
  /** Absent on edit keeps the password. */
  password: z.string().min(1, { error: text.required }).max(128).optional(),
  status: z.enum(onlineStatuses, { error: '状态不正确' }).default('OFFLINE'),
  isSold: z.boolean().optional(),
  operatingSystem: z
    .string({ error: text.required })
    .trim()
    .min(1, { error: text.required })
    .max(100, { error: '最多 100 个字符' }),
  cpuCores: z.int({ error: '请输入整数' }).min(1, { error: '至少为1' }).max(1024),
  memory: z.int({ error: '请输入整数' }).min(1, { error: '至少为1' }).max(65_536),
  diskSpace: z.int({ error: '请输入整数' }).min(1, { error: '至少为1' }).max(1_000_000),
  diskType: z.string().trim().max(40, { error: '最多 40 个字符' }).default('SSD'),
  networkSpeed: z.string().trim().max(60, { error: '最多 60 个字符' }).default(''),
  /** As it was read: CONFLICT where another operator saved meanwhile; absent: saved as it is. */
  version: z.int().optional(),
})
export type EnteredServerInput = z.infer<typeof enteredServerInput>

/** A server as the administration lists it; never its password. */
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
  operatingSystem: z.string().nullable(),
  cpuCores: z.int(),
  memory: z.int(),
  diskSpace: z.int(),
  diskType: z.string(),
  networkSpeed: z.string(),
  orderId: z.uuid().nullable(),
  orderNumber: z.string().nullable(),
  ownerName: z.string().nullable(),
  hostName: z.string().nullable(),
  version: z.int(),
  createdAt: z.string(),
})
export type AdminServer = z.infer<typeof adminServer>
