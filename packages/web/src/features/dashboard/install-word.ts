import type { OrderView } from '@vps/shared/orders.contract'

/** No status: install; installing: look at it; done or failed: install anew. */
export function installWord(order: Pick<OrderView, 'server'>): '安装系统' | '查看进度' | '重装系统' {
  const status = order.server?.installStatus ?? null
  if (status === null) return '安装系统'
  return status === 'INSTALLING' ? '查看进度' : '重装系统'
}
