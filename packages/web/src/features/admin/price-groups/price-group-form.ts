import * as labels from '@vps/shared/labels'
import { discountFaults } from '@vps/shared/discounts'
import {
  parseSalesDocument,
  priceGroupInput,
  salesDocument,
  type AdminPriceGroup,
  type PriceGroupInput,
} from '@vps/shared/catalogue.contract'
import { sentenceOf } from '@vps/shared/issues.contract'
import { defaultSpec } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { shanghaiDay } from '@vps/shared/time'
import type * as z from 'zod'
import type { Faults } from '../../../forms/contract-faults'

export type Input = z.input<typeof priceGroupInput>

export const priceFields = [
  ['hourlyPrice', '每小时'],
  ['dailyPrice', labels.everyDay],
  ['monthlyPrice', '每月'],
  ['quarterlyPrice', '每季'],
  ['semiAnnualPrice', '每半年'],
  ['annualPrice', '每年'],
] as const
const perPiece = '元/个'
export const rateFields = [
  ['cpuRate', 'CPU', '元/核'],
  ['memoryRate', labels.memory, '元/GB'],
  ['storageRate', labels.storage, '元/10 GB'],
  ['bandwidthRate', labels.bandwidth, '元/Mbps'],
  ['ipRate', 'IP', perPiece],
  ['backupRate', labels.backups, perPiece],
] as const
export const specFields = [
  ['cpu_cores', 'CPU', labels.cores],
  ['memory', labels.memory, 'GB'],
  ['disk_space', labels.storage, 'GB'],
  ['network_speed', labels.bandwidth, 'Mbps'],
  ['ip_count', labels.ipCount, labels.piecesUnit],
] as const

type Numbers<K extends string> = Record<K, number>
/** Empty fields are NaN (required) or null; days are `YYYY-MM-DD` or blank. */
export interface Values extends Numbers<(typeof priceFields)[number][0]>, Numbers<(typeof rateFields)[number][0]> {
  name: string
  description: string
  serverGroupId: string
  snapshots: number
  mostBackups: number
  diskIops: number
  diskMbPerSecond: number
  sortOrder: number
  isActive: boolean
  hasDiscount: boolean
  discountPercentage: number | null
  discountStartTime: string
  discountEndTime: string
  page: 'none' | 'html' | 'document'
  html: string
  document: Numbers<(typeof specFields)[number][0]> & { systems: { name: string; versions: string }[] }
  version: number | undefined
}

type Before = Pick<AdminPriceGroup, 'discountStartTime' | 'discountEndTime'> | null

/** For a new one. */
export const emptyValues = (): Values => ({
  name: '',
  description: '',
  serverGroupId: '',
  snapshots: 1,
  mostBackups: 0,
  diskIops: 0,
  diskMbPerSecond: 0,
  sortOrder: 1,
  isActive: true,
  hourlyPrice: Number.NaN,
  dailyPrice: Number.NaN,
  monthlyPrice: Number.NaN,
  quarterlyPrice: Number.NaN,
  semiAnnualPrice: Number.NaN,
  annualPrice: Number.NaN,
  cpuRate: 0,
  memoryRate: 0,
  storageRate: 0,
  bandwidthRate: 0,
  ipRate: 0,
  backupRate: 0,
  hasDiscount: false,
  discountPercentage: null,
  discountStartTime: '',
  discountEndTime: '',
  page: 'none',
  html: '',
  document: {
    cpu_cores: defaultSpec.cpuCores,
    memory: defaultSpec.memoryGb,
    disk_space: defaultSpec.storageGb,
    network_speed: defaultSpec.bandwidthMbps,
    ip_count: defaultSpec.ipCount,
    systems: [],
  },
  version: undefined,
})

/** As its form shows it. */
export function valuesOf(group: AdminPriceGroup): Values {
  const empty = emptyValues()
  const found = parseSalesDocument(group.salesPageHtml)
  const { operating_system: systems = [], ...spec } = found ?? {}
  return {
    ...empty,
    name: group.name,
    description: group.description ?? '',
    serverGroupId: group.serverGroupId,
    snapshots: group.snapshots,
    mostBackups: group.mostBackups,
    diskIops: group.diskIops,
    diskMbPerSecond: group.diskMbPerSecond,
    sortOrder: group.sortOrder,
    isActive: group.isActive,
    hourlyPrice: group.hourlyPrice,
    dailyPrice: group.dailyPrice,
    monthlyPrice: group.monthlyPrice,
    quarterlyPrice: group.quarterlyPrice,
    semiAnnualPrice: group.semiAnnualPrice,
    annualPrice: group.annualPrice,
    cpuRate: group.unitRates.cpu,
    memoryRate: group.unitRates.memory,
    storageRate: group.unitRates.storage,
    bandwidthRate: group.unitRates.bandwidth,
    ipRate: group.unitRates.ip,
    backupRate: group.unitRates.backup,
    hasDiscount: group.hasDiscount,
    discountPercentage: group.discountPercentage,
    discountStartTime: dayOf(group.discountStartTime),
    discountEndTime: dayOf(group.discountEndTime),
    page: found ? 'document' : group.salesPageHtml ? 'html' : 'none',
    html: found ? '' : (group.salesPageHtml ?? ''),
    document: {
      ...empty.document,
      ...spec,
      systems: systems.map(({ name, versions }) => ({ name, versions: versions.join('，') })),
    },
    version: group.version,
  }
}

const dayOf = (at: string | null) => (at === null ? '' : shanghaiDay(new Date(at)))

/** An unchanged day is sent as the moment it was: an old one is accepted only so. */
export const momentOf = (day: string, was: string | null | undefined) => (was && dayOf(was) === day ? was : day || null)

/** The first day a discount may begin or end. */
export const tomorrow = () => shanghaiDay(new Date(Date.now() + 86_400_000))

/** What is sent. */
export function inputOf(values: Values, before: Before): Input {
  const { page, html, document, discountStartTime, discountEndTime, hasDiscount, ...rest } = values
  return {
    ...rest,
    hasDiscount,
    discountPercentage: hasDiscount ? rest.discountPercentage : null,
    discountStartTime: hasDiscount ? momentOf(discountStartTime, before?.discountStartTime) : null,
    discountEndTime: hasDiscount ? momentOf(discountEndTime, before?.discountEndTime) : null,
    salesPageHtml: page === 'none' ? null : page === 'html' ? html : JSON.stringify(documentOf(document), null, 2),
  }
}

/** Versions are separated by commas of either kind. */
export function documentOf({ systems, ...spec }: Values['document']) {
  return {
    ...spec,
    operating_system: systems.map(({ name, versions }) => ({ name: name.trim(), versions: versionsOf(versions) })),
  }
}

const versionsOf = (typed: string) =>
  typed
    .split(/[,，、]/)
    .map((version) => version.trim())
    .filter(Boolean)

/** Of what a customer may choose the most of at the plan's price. */
export const freeRates = (values: Pick<Values, 'cpuRate' | 'memoryRate' | 'storageRate'>): string[] =>
  rateFields.flatMap(([name, label]) =>
    (name === 'cpuRate' || name === 'memoryRate' || name === 'storageRate') && values[name] === 0 ? [label] : [],
  )

const numbers = [
  ...priceFields.map(([name]) => name),
  ...rateFields.map(([name]) => name),
  'snapshots',
  'mostBackups',
  'diskIops',
  'diskMbPerSecond',
] as const

/** By field. */
export function faultsOf(values: Values, before: Before, now: Date): Faults {
  const faults: Faults = {}
  const parsed = priceGroupInput.safeParse(inputOf(values, before))
  for (const issue of parsed.error?.issues ?? []) {
    const [field] = issue.path
    // A document's faults are told below, by its own fields.
    if (field === 'salesPageHtml' && values.page === 'document') continue
    faults[field === 'salesPageHtml' ? 'html' : String(field)] ??= sentenceOf(issue)
  }
  for (const name of numbers) if (Number.isNaN(values[name])) faults[name] = text.required
  if (values.hasDiscount) {
    if (values.discountPercentage === null) faults['discountPercentage'] ??= text.discountRequired
    if (parsed.success) Object.assign(faults, discountFaults(parsed.data, momentsOf(before), now))
  }
  return values.page === 'document' ? { ...faults, ...documentFaults(values.document) } : faults
}

const momentsOf = (before: Before): Pick<PriceGroupInput, 'discountStartTime' | 'discountEndTime'> | null =>
  before && {
    discountStartTime: before.discountStartTime === null ? null : new Date(before.discountStartTime),
    discountEndTime: before.discountEndTime === null ? null : new Date(before.discountEndTime),
  }

function documentFaults(document: Values['document']): Faults {
  const faults: Faults = {}
  for (const [name, label] of specFields) {
    const { minValue, maxValue } = salesDocument.shape[name]
    const value = document[name]
    if (Number.isNaN(value)) faults[`document.${name}`] = text.required
    else if (!salesDocument.shape[name].safeParse(value).success)
      faults[`document.${name}`] = `${label}需为${minValue}-${maxValue}的整数`
  }
  document.systems.forEach(({ name, versions }, i) => {
    if (!name.trim()) faults[`document.systems.${i}.name`] = text.required
    if (versionsOf(versions).length === 0) faults[`document.systems.${i}.versions`] = text.required
  })
  return faults
}
