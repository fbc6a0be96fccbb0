import * as text from '@vps/shared/text'
import { labelLength, mostLabels, type OrderStatus } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { expiry } from '@vps/shared/time'

export const living: readonly OrderStatus[] = ['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED']

/** Chosen as a state is. */
export const endsSoon = 'SOON'
export const serverStates = [...living, endsSoon] as const

export const hasState = (order: Pick<OrderView, 'status' | 'expiresAt'>, state: string, now: Date): boolean =>
  state === endsSoon ? expiresSoon(order, now) : order.status === state

export const isWanted =
  ({ q, status, label }: { q: string; status: string; label: string }, now: Date) =>
  (order: Searched): boolean =>
    (!status || hasState(order, status, now)) &&
    (!label || order.labels.includes(label)) &&
    // As the system is shown; a phone's keyboard leaves a blank behind a word.
    [
      order.orderNumber,
      order.serverName,
      `${order.osName} ${order.osVersion}`,
      order.ipAddress ?? '',
      ...order.labels,
    ].some((value) => value.toLowerCase().includes(q.trim().toLowerCase()))

type Searched = Pick<
  OrderView,
  'status' | 'expiresAt' | 'orderNumber' | 'serverName' | 'osName' | 'osVersion' | 'ipAddress' | 'labels'
>

/** 1 to 7 days left, begun ones counted. */
export const expiresSoon = ({ expiresAt }: Pick<OrderView, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiry(new Date(expiresAt), now).level === 'soon'

type Labelled = Pick<OrderView, 'labels'>

/** In use, in their order. */
export const labelsOf = (orders: readonly Labelled[]): string[] =>
  [...new Set(orders.flatMap(({ labels }) => labels))].toSorted((a, b) => a.localeCompare(b, 'zh-CN'))

/** Its first label; those without any come last. */
export const groupOf = ({ labels }: Labelled): string => labels[0] ?? '无标签'

/** By group, within it as before. */
export function grouped<Order extends Labelled>(orders: readonly Order[]): Order[] {
  const order = labelsOf(orders)
  const place = ({ labels: [first] }: Labelled) => (first === undefined ? order.length : order.indexOf(first))
  return orders.toSorted((a, b) => place(a) - place(b))
}

/** Blanks and commas stand between them. */
export const labelsTyped = (typed: string): string[] => [...new Set(typed.split(/[\s,，、;；]+/).filter(Boolean))]

/** Null where they can be kept. */
export function labelsFault(labels: readonly string[]): string | null {
  if (labels.length > mostLabels) return text.tooManyLabels
  return labels.some(({ length }) => length > labelLength) ? `每个${text.tooLong(labelLength)}` : null
}
