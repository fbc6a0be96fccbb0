/** The list of servers comes whole: what of it is counted and shown. */
import type { OrderStatus } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { expiry } from '@vps/shared/time'

/** Orders that stand for a server which is there or on its way. */
export const living: readonly OrderStatus[] = ['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED']

/** Whether a server fits what was searched for and the state that was chosen. */
export const isWanted =
  ({ q, status }: { q: string; status: string }) =>
  (order: Pick<OrderView, 'status' | 'orderNumber' | 'serverName' | 'osName'>): boolean =>
    (!status || order.status === status) &&
    [order.orderNumber, order.serverName, order.osName].some((value) => value.toLowerCase().includes(q.toLowerCase()))

/** 1 to 7 days left, started ones counted: what its own line calls soon. */
export const expiresSoon = ({ expiresAt }: Pick<OrderView, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiry(new Date(expiresAt), now).level === 'soon'
