import { formatYuan, fen } from '@vps/shared/money'
import { paymentMethodNames } from '@vps/shared/payments'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'

/** In one line, for people who run the system. */
export function factsText(details: Record<string, unknown>): string {
  const parts = Object.entries(details).map(([name, value]) => `${words[name] ?? name} ${textOf(name, value)}`)
  return parts.join('，') || '—'
}

const words: Record<string, string> = {
  name: labels.name,
  power: labels.power,
  bytes: '大小',
  generation: '代次',
  expected: '应为',
  macs: 'MAC',
  addresses: labels.address,
  machineId: '机器',
  instanceId: '进程',
  cpuCores: 'CPU 核数',
  memoryMb: '内存 MB',
  currentMemoryMb: '实际分配内存 MB',
  diskGb: labels.diskGb,
  bandwidthMbps: '带宽 Mbps',
  autostart: '自动启动',
  file: labels.file,
  isThere: '文件在原处',
  images: labels.image,
  disks: '依赖它的磁盘数',
  sha256: 'SHA-256',
  reason: labels.reason,
  vlan: 'VLAN',
  bridge: labels.bridge,
  gateways: '宿主机上没有的网关地址',
  bridges: '宿主机上没有或未启用的网桥',
  amountFen: '实付金额',
  askedFen: labels.amountDue,
  method: labels.paymentMethod,
  askedMethod: '充值时所选',
  tradeNo: labels.gatewayNumber,
  servers: labels.server,
}
const methods: Record<string, string> = paymentMethodNames
const powers: Record<string, string> = { on: verbs.powerOn, off: verbs.stop, unknown: states.unknown }

function textOf(name: string, value: unknown): string {
  if (name === 'power') return powers[String(value)] ?? String(value)
  if (name === 'bytes' && typeof value === 'number') return `${(value / 1024 ** 3).toFixed(2)} GB`
  if (name === 'method' || name === 'askedMethod') return methods[String(value)] ?? labels.none
  if (name.endsWith('Fen') && typeof value === 'number') return formatYuan(fen(value))
  if (value === null) return labels.none
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : (JSON.stringify(value) ?? '')
}
