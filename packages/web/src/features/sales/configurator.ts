import * as labels from '@vps/shared/labels'
import { priceField } from '@vps/shared/catalogue'
import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { machinePasswordFault } from '@vps/shared/password'
import type { Period } from '@vps/shared/periods'
import { formatYuan } from '@vps/shared/money'
import { quote } from '@vps/shared/pricing'
import { specLimits, type OrderedSpec, type ServerSpec } from '@vps/shared/servers'
import * as states from '@vps/shared/states'
import * as text from '@vps/shared/text'
import { typedPort, typedPortFault } from '../../servers/machine-access'
import { offeredSystem } from '../../servers/offered-system'

export interface Draft {
  priceGroupId: string
  spec: Required<OrderedSpec>
  osName: string | null
  osVersion: string | null
  initialPassword: string
  sshPort: string
  autoRenewal: boolean
  sshKeyIds: string[]
  period: Period | null
  quantity: number
}

const specFields: { field: keyof OrderedSpec; label: string; unit: string; step: number }[] = [
  { field: 'cpuCores', label: 'CPU', unit: labels.cores, step: 1 },
  { field: 'memoryGb', label: labels.memory, unit: 'GB', step: 1 },
  { field: 'storageGb', label: labels.storage, unit: 'GB', step: 10 },
  { field: 'bandwidthMbps', label: labels.bandwidth, unit: 'Mbps', step: 1 },
  { field: 'ipCount', label: labels.ipCount, unit: labels.piecesUnit, step: 1 },
  { field: 'backups', label: labels.backupCount, unit: labels.piecesUnit, step: 1 },
]

/** Backups are optional beside a fixed plan, too. */
export const fieldsOf = ({ mostBackups: max, locked }: PriceGroupInFen) =>
  specFields
    .filter(({ field }) => field !== 'backups' || max > 0)
    .map((one) => ({
      ...one,
      ...(one.field === 'backups' ? { min: 0, max } : { ...specLimits[one.field], disabled: locked }),
    }))

const presets = [
  { name: '入门', hint: '个人网站、学习', times: 1, disk: 1 },
  { name: '标准', hint: '中小型应用', times: 2, disk: 1.5 },
  { name: '高性能', hint: '数据库、电商', times: 4, disk: 2.5 },
  { name: '旗舰', hint: '高并发业务', times: 8, disk: 5 },
] as const

/** Multiples of what is included: no two have the same cores and memory. */
export function presetsFor({ included }: Pick<PriceGroupInFen, 'included'>) {
  const grown = (field: keyof ServerSpec, by: number) => Math.min(included[field] * by, specLimits[field].max)
  const offered = presets.map(({ times, disk, ...preset }) => ({
    ...preset,
    spec: {
      ...included,
      cpuCores: grown('cpuCores', times),
      memoryGb: grown('memoryGb', times),
      storageGb: Math.ceil(grown('storageGb', disk) / 10) * 10,
    },
  }))
  return offered.filter(({ spec }, i) => {
    const before = offered[i - 1]?.spec
    return spec.cpuCores !== before?.cpuCores || spec.memoryGb !== before.memoryGb
  })
}

/** 含在套餐内, or what it adds. */
export function priceNote(
  group: PriceGroupInFen,
  field: keyof OrderedSpec,
  value: number,
  period: Period | null,
): string {
  const included = { ...group.included, backups: 0 }
  if (value <= included[field]) return value ? '含在套餐内' : '不保留'
  const price = quote(group, { ...included, [field]: value }, period ?? 'MONTHLY', new Date())
  const extra = price?.lines[1]
  return extra ? `超出部分 +${formatYuan(extra.amount)}` : '不另收费'
}

/** What the price covers, the first system, its newest version. */
export function startDraft(group: PriceGroupInFen, kept?: Partial<Draft>): Draft {
  const os = group.osOptions[0]
  return {
    priceGroupId: group.id,
    spec: { ...group.included, backups: 0 },
    osName: os?.name ?? null,
    osVersion: os?.versions.at(-1) ?? null,
    initialPassword: '',
    sshPort: '22',
    autoRenewal: kept?.autoRenewal ?? true,
    sshKeyIds: kept?.sshKeyIds ?? [],
    period: startPeriod(group, kept?.period ?? null),
    quantity: kept?.quantity ?? 1,
  }
}

/** As the plan has it now, which may be another than when the draft was begun: what it sells no more is let go of. */
export function fitted(draft: Draft, group: PriceGroupInFen): Draft {
  const { locked, dedicated, included, mostBackups, osOptions } = group
  const spec = locked || dedicated ? included : draft.spec
  // An entered machine is logged in to by password.
  const sshKeyIds = dedicated ? [] : draft.sshKeyIds
  return {
    ...draft,
    ...offeredSystem(draft, osOptions),
    period: draft.period && isSold(group, draft.period) ? draft.period : null,
    sshKeyIds,
    spec: { ...spec, backups: Math.min(draft.spec.backups, mostBackups) },
  }
}

function startPeriod(group: PriceGroupInFen, kept: Period | null): Period | null {
  if (kept && isSold(group, kept)) return kept
  return isSold(group, 'MONTHLY') ? 'MONTHLY' : null
}

const isSold = (group: PriceGroupInFen, period: Period) => group[priceField[period]] > 0

/** Field → message. The server makes a blank password; a blank port is 22. */
export function faultsOf(draft: Draft): Partial<Record<'os' | 'sshPort' | 'initialPassword', string>> {
  const sshPort = typedPortFault(draft.sshPort)
  const password = draft.initialPassword === '' ? null : machinePasswordFault(draft.initialPassword)
  return {
    ...(draft.osName && draft.osVersion ? {} : { os: text.osRequired }),
    ...(sshPort ? { sshPort } : {}),
    ...(password ? { initialPassword: password } : {}),
  }
}

/** `draft` must be faultless. */
export function toOrder(draft: Draft & { period: Period; osName: string; osVersion: string }) {
  return {
    priceGroupId: draft.priceGroupId,
    billingPeriod: draft.period,
    ...draft.spec,
    osName: draft.osName,
    osVersion: draft.osVersion,
    initialPassword: draft.initialPassword,
    sshPort: typedPort(draft.sshPort) ?? 22,
    autoRenewal: draft.autoRenewal,
    sshKeyIds: draft.sshKeyIds,
    quantity: draft.quantity,
  }
}

/** 2 核 · 4 GB 内存 · … */
export const specText = ({ backups = 0, ...spec }: OrderedSpec) =>
  `${spec.cpuCores} 核 · ${spec.memoryGb} GB 内存 · ${spec.storageGb} GB 存储 · ${spec.bandwidthMbps} Mbps · ${spec.ipCount} 个 IP` +
  (backups > 0 ? ` · ${backups} 个备份` : '')

/** Debian 12 · 端口 22 · 密码自动生成 */
export const accessText = ({ osName, osVersion, sshPort, initialPassword }: Draft) =>
  [
    osName && osVersion ? `${osName} ${osVersion}` : `${labels.system}${states.unchosen}`,
    `端口 ${sshPort.trim() || '22'}`,
    initialPassword ? '密码已设置' : '密码自动生成',
  ].join(' · ')
