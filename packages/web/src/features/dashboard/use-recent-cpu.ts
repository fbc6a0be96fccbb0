import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { trpc } from '../../api/trpc'

/** No notification tells of a sample. */
const lookMs = 60_000

/** Of each row shown, in one call. */
export function useRecentCpu(
  orders: readonly OrderView[],
): (order: OrderView) => readonly (number | null)[] | undefined {
  const ids = orders.flatMap((order) => (order.server && orderCan.openConsole(order) ? order.server.id : []))
  const read = trpc.console.recentCpu.useQuery(
    { ids },
    { enabled: ids.length > 0, staleTime: lookMs, refetchInterval: lookMs, placeholderData: (old) => old },
  )
  return (order) => read.data?.find(({ serverId }) => serverId === order.serverId)?.values
}
