import { orderCan } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { codeOf, failureOf } from '../../api/errors'
import { silenceLookMs } from '../../api/look-again'
import { trpc } from '../../api/trpc'
import { toast } from '../../ui/toast'
import { consoleOf } from '../../servers/console-server'
import { useUnhurried } from '../../ui/unhurried'

/** The order, and the server as far as known. */
export function useConsole(id: string | undefined) {
  const order = trpc.orders.get.useQuery({ id: id ?? '' }, { enabled: Boolean(id) })
  const serverId = order.data?.serverId
  const details = trpc.console.details.useQuery(
    { id: serverId ?? '' },
    { enabled: Boolean(serverId), refetchInterval: silenceLookMs },
  )
  const utils = trpc.useUtils()

  async function refresh() {
    const results = await Promise.allSettled([
      order.refetch({ throwOnError: true }),
      details.refetch({ throwOnError: true }),
      utils.console.monitoring.invalidate(),
      utils.console.metrics.invalidate(),
      utils.console.logs.invalidate(),
      utils.snapshots.invalidate(),
      utils.backups.invalidate(),
      utils.firewall.invalidate(),
      utils.reverseNames.invalidate(),
    ])
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) toast(failureOf(text.refreshFailed, failure.reason), 'error')
  }

  // A read that failed once has ended: what shows it reads again on appearing and must not be taken away for that.
  const awaited = order.isPending || (Boolean(serverId) && details.isPending && details.errorUpdateCount === 0)
  const loading = useUnhurried(awaited ? undefined : true) === undefined
  // Not open to its owner yet, or any more: no failure to read it.
  const isClosed = codeOf(details.error) === 'NOT_FOUND' && order.data && !orderCan.openConsole(order.data)
  const server = order.data && serverId && !isClosed ? consoleOf(order.data, details.data) : null
  return { order, details, server, loading, refresh }
}
