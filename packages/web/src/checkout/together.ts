import { sumFen, yuan } from '@vps/shared/money'
import type { OrderView } from '@vps/shared/orders.contract'

/** The order and the unpaid ones placed with it. */
export const paidWith = (order: OrderView) =>
  (order.orders ?? [order]).filter(({ id, status }) => id === order.id || status === 'PENDING')

/** In yuan. */
export function dueFor(order: OrderView): number {
  if (order.status !== 'PENDING') return order.amount
  return yuan.encode(sumFen(paidWith(order).map(({ amount }) => yuan.decode(amount))))
}
