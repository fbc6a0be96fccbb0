import * as labels from '@vps/shared/labels'
import { priceField } from '@vps/shared/catalogue'
import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { machinePasswordFault } from '@vps/shared/password'
import type { Period } from '@vps/shared/periods'
import type { ServerSpec } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { typedPortFault } from '../../servers/machine-access'

export interface Draft {
  priceGroupId: string
  spec: ServerSpec
  osName: string | null
  osVersion: string | null
  initialPassword: string
  sshPort: string
  autoRenewal: boolean
  sshKeyIds: string[]
  period: Period | null
}

export const specFields: { field: keyof ServerSpec; label: string; unit: string; step: number }[] = [
  { field: 'cpuCores', label: 'CPU', unit: labels.cores, step: 1 },
  { field: 'memoryGb', label: labels.memory, unit: 'GB', step: 1 },
  { field: 'storageGb', label: labels.storage, unit: 'GB', step: 10 },
  { field: 'bandwidthMbps', label: labels.bandwidth, unit: 'Mbps', step: 1 },
  { field: 'ipCount', label: labels.ipCount, unit: labels.piecesUnit, step: 1 },
]

export const presets = [
  { name: '入门', hint: '个人网站、学习', cpuCores: 1, memoryGb: 2, storageGb: 40 },
  { name: '标准', hint: '中小型应用', cpuCores: 2, memoryGb: 4, storageGb: 60 },
  { name: '高性能', hint: '数据库、电商', cpuCores: 4, memoryGb: 8, storageGb: 100 },
  { name: '旗舰', hint: '高并发业务', cpuCores: 8, memoryGb: 16, storageGb: 200 },
] as const

/** Never less than the group's price covers. */
export function presetSpec(group: Pick<PriceGroupInFen, 'included'>, preset: (typeof presets)[number]): ServerSpec {
  const { included } = group
  return {
    ...included,
    cpuCores: Math.max(included.cpuCores, preset.cpuCores),
    memoryGb: Math.max(included.memoryGb, preset.memoryGb),
    storageGb: Math.max(included.storageGb, preset.storageGb),
  }
}

/** Without equal ones. */
export function presetsFor(group: Pick<PriceGroupInFen, 'included'>) {
  const seen = new Set<string>()
  return presets
    .map((preset) => ({ ...preset, spec: presetSpec(group, preset) }))
    .filter(({ spec }) => {
      const key = JSON.stringify(spec)
      return !seen.has(key) && seen.add(key)
    })
}

/** What the price covers, the first system, its newest version. */
export function startDraft(group: PriceGroupInFen, kept?: Pick<Draft, 'period' | 'autoRenewal' | 'sshKeyIds'>): Draft {
  const os = group.osOptions[0]
  return {
    priceGroupId: group.id,
    spec: { ...group.included },
    osName: os?.name ?? null,
    osVersion: os?.versions.at(-1) ?? null,
    initialPassword: '',
    sshPort: '22',
    autoRenewal: kept?.autoRenewal ?? true,
    sshKeyIds: kept?.sshKeyIds ?? [],
    period: startPeriod(group, kept?.period ?? null),
  }
}

/** The chosen one, else the month, as far as the group sells it. */
function startPeriod(group: PriceGroupInFen, kept: Period | null): Period | null {
  const sold = (period: Period) => group[priceField[period]] > 0
  if (kept && sold(kept)) return kept
  return sold('MONTHLY') ? 'MONTHLY' : null
}

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
    sshPort: draft.sshPort.trim() === '' ? 22 : Number(draft.sshPort),
    autoRenewal: draft.autoRenewal,
    sshKeyIds: draft.sshKeyIds,
  }
}

/** 2 核 · 4 GB 内存 · 40 GB 存储 · 100 Mbps · 1 IP */
export const specText = (spec: ServerSpec) =>
  `${spec.cpuCores} 核 · ${spec.memoryGb} GB 内存 · ${spec.storageGb} GB 存储 · ${spec.bandwidthMbps} Mbps · ${spec.ipCount} 个 IP`
