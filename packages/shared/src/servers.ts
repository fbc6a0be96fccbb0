import * as states from './states.js'

/** 0: unlimited; null: the host's own. */
export type MachineTerms = { diskIops: number; diskMbPerSecond: number; cpuModel: string | null }

/** GB as the shop sells them; Mbit/s. */
export type ServerSpec = {
  cpuCores: number
  memoryGb: number
  storageGb: number
  bandwidthMbps: number
  ipCount: number
}

/** `backups`: at most; absent: none. */
export type OrderedSpec = ServerSpec & { backups?: number }

export const mostBackups = 30

/** Part 1 sections 3 and 9. */
export const specLimits = {
  cpuCores: { min: 1, max: 32 },
  memoryGb: { min: 1, max: 128 },
  storageGb: { min: 20, max: 2000 },
  bandwidthMbps: { min: 1, max: 1000 },
  ipCount: { min: 1, max: 10 },
} as const satisfies Record<keyof ServerSpec, { min: number; max: number }>

/** Without servers and a structured document (part 1 section 9). */
export const defaultSpec: ServerSpec = { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }

/** From free text (`100 Mbps`, `1G`), within limits; else the default. */
export function mbpsIn(line: string): number {
  const [, figure, unit] = /(\d+(?:\.\d+)?)\s*([gm])/i.exec(line) ?? /^\s*(\d+)\s*$/.exec(line) ?? []
  if (figure === undefined) return defaultSpec.bandwidthMbps
  const { min, max } = specLimits.bandwidthMbps
  return Math.min(max, Math.max(min, Math.round(Number(figure) * (unit?.toLowerCase() === 'g' ? 1000 : 1))))
}

type DedicatedServer = { cpu_cores: number; memory_gb: number; storage_gb: number; operating_system: string | null }
type System = { os_name: string; os_version: string }

const plain = (system: string) => system.toLowerCase().replaceAll(/\s/g, '')

/** At least this size, one address, this system, ignoring case and spaces (decisions, "Servers"). */
export function machineSuits(machine: DedicatedServer, spec: ServerSpec, system: System | null): boolean {
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

/** 22, or one of these (decisions, "Access"). */
export const sshPorts = { min: 1024, max: 65_535 } as const
export const sshPortWrong = `端口需为${sshPorts.min}-${sshPorts.max}的整数`

/** Null: fine. */
export function sshPortFault(port: number): string | null {
  const fits = port === 22 || (Number.isInteger(port) && port >= sshPorts.min && port <= sshPorts.max)
  return fits ? null : sshPortWrong
}

export const serverDrivers = ['kvm', 'ssh'] as const
export type ServerDriver = (typeof serverDrivers)[number]

/** `unknown` never starts, stops, bills or refunds anything. */
export const powers = ['on', 'off', 'unknown'] as const
export type Power = (typeof powers)[number]
export const powerNames: Record<Power, string> = { on: states.online, off: states.offline, unknown: '状态未知' }

/** Older is unknown (decisions, "Power is observed"). */
export const powerFreshSeconds = 60

export const onlineStatuses = ['ONLINE', 'OFFLINE'] as const
export type OnlineStatus = (typeof onlineStatuses)[number]
/** ONLINE only where `on` is shown. */
export const onlineStatus = (shown: Power): OnlineStatus => (shown === 'on' ? 'ONLINE' : 'OFFLINE')

/** `unknown` when too old. */
export function powerNow(power: Power, observedAt: Date | null, now: Date): Power {
  if (observedAt === null || now.getTime() - observedAt.getTime() > powerFreshSeconds * 1000) return 'unknown'
  return power
}

export type UsageLevel = 'normal' | 'warning' | 'error'

/** Part 1 section 9. */
export function usageLevel(percent: number): UsageLevel {
  if (percent >= 80) return 'error'
  return percent >= 60 ? 'warning' : 'normal'
}

/** By `POST /server-management/action` (part 1 section 3). */
export const serverActions = ['start', 'restart', 'stop', 'resetPassword', 'reinstall'] as const
export type ServerAction = (typeof serverActions)[number]

/** For its owner. */
export const serverTroubles: Record<string, string> = {
  'hung-domain': '服务器没有响应，我们正在处理。您也可以强制关机后重新启动。',
  'crashed-domain': '服务器异常退出或未能启动，系统正在自动重新启动。',
  'paused-domain': '服务器已被暂停运行，我们正在处理。',
  'io-error-domain': '服务器的磁盘读写出错，已暂停运行，我们正在处理。',
  'disk-full-domain': '宿主机存储空间不足，服务器已暂停运行，我们正在处理。',
  'missing-domain': '暂时找不到这台服务器，我们正在处理。',
}

export const metricRanges = ['hour', 'day', 'week', 'month'] as const
export type MetricRange = (typeof metricRanges)[number]
/** Minutes. */
export const metricRangeMinutes: Record<MetricRange, { length: number; step: number }> = {
  hour: { length: 60, step: 1 },
  day: { length: 24 * 60, step: 10 },
  week: { length: 7 * 24 * 60, step: 60 },
  month: { length: 30 * 24 * 60, step: 240 },
}

export const snapshotStates = ['CREATING', 'READY', 'FAILED'] as const
export type SnapshotState = (typeof snapshotStates)[number]

/** Null, or a disabled button's sentence. */
export const rescueCan = {
  enter: ({ isIn, offered }: { isIn: boolean; offered: boolean }) => {
    if (isIn) return '服务器已处于救援模式'
    return offered ? null : '该服务器暂时不提供救援模式'
  },
  leave: (isIn: boolean) => (isIn ? null : '服务器不在救援模式'),
  /** New password, size, snapshots: of its own system. */
  change: (isIn: boolean) => (isIn ? '服务器处于救援模式，请先退出救援模式' : null),
}

/** Then it is taken out by itself. */
export const isoUntil = (insertedAt: Date) => new Date(insertedAt.getTime() + isoHours * 3_600_000)
export const isoHours = 24

export const isoCan = {
  insert: ({ isIn, offered, inRescue }: { isIn: boolean; offered: boolean; inRescue: boolean }) => {
    if (isIn) return '光驱中已有光盘，请先弹出'
    if (inRescue) return rescueCan.change(true)
    return offered ? null : '该服务器暂时没有可用的光盘'
  },
  eject: (isIn: boolean) => (isIn ? null : '光驱中没有光盘'),
  /** Rescue and new passwords need the drive; a password or revert is proven by the disk's system. */
  change: (isIn: boolean) => (isIn ? '光驱中有光盘，请先弹出光盘' : null),
}

export const snapshotCan = {
  take: ({ used, most }: { used: number; most: number }) => {
    if (most === 0) return '该服务器不提供快照'
    return used < most ? null : `最多保留 ${most} 个快照，请先删除不需要的`
  },
  revert: (state: SnapshotState) => (state === 'READY' ? null : '快照尚未创建完成'),
}
