import * as verbs from '@vps/shared/verbs'
import type { OrderView } from '@vps/shared/orders.contract'

/** No status: install; installing: look at it; else: install anew. */
export function installWord(order: Pick<OrderView, 'server'>): string {
  const status = order.server?.installStatus ?? null
  if (status === null) return verbs.install
  return status === 'INSTALLING' ? verbs.viewProgress : verbs.reinstall
}
