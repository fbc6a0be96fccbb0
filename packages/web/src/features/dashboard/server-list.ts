import type { OrderStatus } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { expiry } from '@vps/shared/time'

/** Whose server is there or on its way. */
export const living: readonly OrderStatus[] = ['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED']

export const isWanted =
  ({ q, status }: { q: string; status: string }) =>
  (order: Pick<OrderView, 'status' | 'orderNumber' | 'serverName' | 'osName'>): boolean =>
    (!status || order.status === status) &&
    [order.orderNumber, order.serverName, order.osName].some((value) => value.toLowerCase().includes(q.toLowerCase()))

/** 1 to 7 days left, begun ones counted. */
export const expiresSoon = ({ expiresAt }: Pick<OrderView, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiry(new Date(expiresAt), now).level === 'soon'
