import type { PlaceOrder } from '@vps/shared/orders.contract'
import { quote, type Quote } from '@vps/shared/pricing'
import type { OrderedSpec, ServerSpec } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { orderedUnsold } from '@vps/shared/unpaid'
import type { Offer, OfferedImage, PricedGroup } from '../catalogue/queries.js'
import { fail, Refusal } from '../errors.js'
import { must } from '../must.js'

type Wanted = OrderedSpec & Pick<PlaceOrder, 'billingPeriod' | 'osName' | 'osVersion'>

/**
 * UNKNOWN_PRICE_GROUP, PERIOD_NOT_SOLD, UNKNOWN_IMAGE, or INVALID_INPUT for fields that contradict a structured
 * document.
 */
export function priceOrder(offer: Offer | null, wanted: Wanted, now: Date) {
  const isWanted = (image: OfferedImage) => image.os_name === wanted.osName && image.os_version === wanted.osVersion
  const priced = priceWanted({ group: offer?.group ?? null, image: offer?.images.find(isWanted) ?? null }, wanted, now)
  const { groupName, terms, hasDedicatedServers } = must(offer) // priced, so found
  return { ...priced, groupName, terms, hasDedicatedServers }
}

/** Of an unpaid order: where it is paid nothing else can be chosen, so another sentence says what to do. */
export function priceStanding(offer: Offer | null, wanted: Wanted, now: Date): ReturnType<typeof priceOrder> {
  try {
    return priceOrder(offer, wanted, now)
  } catch (error) {
    if (error instanceof Refusal) fail(error.code, { message: orderedUnsold })
    throw error
  }
}

type Choice = { group: PricedGroup | null; image: OfferedImage | null }

/** Of a catalogue read before. */
export function priceWanted({ group, image }: Choice, wanted: Wanted, now: Date) {
  if (!group) fail('UNKNOWN_PRICE_GROUP', { errors: { priceGroupId: text.noPriceGroup } })
  if (group.locked) refuseOtherThan(group.included, wanted)
  refuseUnsoldBackups(group, wanted.backups ?? 0)
  const offered = group.osOptions.some((os) => os.name === wanted.osName && os.versions.includes(wanted.osVersion))
  if (!image || !offered) fail('UNKNOWN_IMAGE', { errors: { osVersion: text.osRequired } })
  if (wanted.storageGb < image.min_disk_gb) {
    const message = `${image.os_name} ${image.os_version} 至少需要 ${image.min_disk_gb} GB 存储`
    fail('INVALID_INPUT', { message, errors: { storageGb: message } })
  }
  const price: Quote | null = quote(group, wanted, wanted.billingPeriod, now)
  if (!price) fail('PERIOD_NOT_SOLD', { errors: { billingPeriod: text.periodNotSold } })
  return { group, image, price }
}

const resources = ['cpuCores', 'memoryGb', 'storageGb', 'bandwidthMbps', 'ipCount'] as const

/** INVALID_INPUT for other than a plan has fixed. */
export function refuseOtherThan(
  fixed: ServerSpec,
  wanted: Partial<Record<keyof ServerSpec, number | undefined>>,
): void {
  const wrong = resources.filter((name) => (wanted[name] ?? fixed[name]) !== fixed[name])
  if (wrong.length === 0) return
  const errors = Object.fromEntries(wrong.map((name) => [name, `该套餐固定为 ${fixed[name]}`]))
  fail('INVALID_INPUT', { message: '该套餐的配置不可更改', errors })
}

/** An option beside any configuration, locked or not. INVALID_INPUT for more than is sold. */
export function refuseUnsoldBackups({ mostBackups }: PricedGroup, wanted: number): void {
  if (wanted <= mostBackups) return
  const message = mostBackups === 0 ? text.backupsNotSold : `该套餐最多保留 ${mostBackups} 个备份`
  fail('INVALID_INPUT', { message, errors: { backups: message } })
}
