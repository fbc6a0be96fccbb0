import { numberText } from '@vps/shared/digits'
import * as labels from '@vps/shared/labels'
import { growthDays, placesLeft, runsOut, type HostGrowth } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import { defaultSpec } from '@vps/shared/servers'

export interface Share {
  label: string
  used: number
  total: number
  unit: string
  digits?: number
}

export const shareKinds = ['cpu', 'memory', 'disk'] as const

/** In the units shown. */
export const sharesOf = (host: HostView): Record<(typeof shareKinds)[number], Share> => ({
  cpu: {
    label: 'CPU',
    used: host.usedCpu,
    total: Math.floor(host.cpuCores * host.cpuOvercommit),
    unit: labels.cores,
  },
  memory: {
    label: labels.memory,
    used: host.usedMemoryMb / 1024,
    total: Math.max(0, host.memoryMb - host.reservedMemoryMb) / 1024,
    unit: 'GB',
    digits: 1,
  },
  disk: { label: labels.disk, used: host.usedDiskGb, total: host.diskGb, unit: 'GB' },
})

function roomOf(host: HostView) {
  const { cpu, memory, disk } = sharesOf(host)
  return {
    cpuRoom: cpu.total - cpu.used,
    memoryRoomMb: (memory.total - memory.used) * 1024,
    diskRoomGb: disk.total - disk.used,
    freeAddresses: host.addresses.free,
  }
}

/** Servers of the usual size that still fit. */
export const placesOn = (host: HostView): number => placesLeft(roomOf(host), defaultSpec)

/** Nobody believes a day further away. */
const yearDays = 365

/** With its basis; none for a host too new. */
export function forecastOf(host: HostView, growth: HostGrowth | null): string {
  if (growth === null) return `接入不满 ${growthDays} 天，还不能估计。`
  const { servers, cpuCores, memoryMb, diskGb } = growth
  const grown = `${labels.last30Days}${servers < 0 ? '净减' : '净增'} ${Math.abs(servers)} 台服务器（CPU ${signed(cpuCores)} 核，内存 ${signed(memoryMb / 1024)} GB，磁盘 ${signed(diskGb)} GB）`
  const first = runsOut(roomOf(host), growth)
  if (!first) return `${grown}，照此下去不会放满。`
  const { label } = sharesOf(host)[first.of]
  if (first.days === 0) return `${grown}，${label}已放满。`
  if (first.days > yearDays) return `${grown}，照此下去，一年内不会放满。`
  return `${grown}，照此下去，${label}约 ${first.days} 天后最先放满。`
}

const signed = (amount: number) => `${amount < 0 ? '−' : '+'}${numberText(Math.abs(amount))}`
