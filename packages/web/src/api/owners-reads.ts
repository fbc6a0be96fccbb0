import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { NotificationKind } from '@vps/shared/notifications'

/** What is asked for again where something of one's own changed: a noun's reads, or one of them. */
export const ownersReads: Record<NotificationKind, readonly string[]> = {
  // What a server may have is bought with its order.
  order: ['orders', 'backups'],
  server: ['orders', 'snapshots', 'backups', 'firewall', 'reverseNames', 'console'],
  wallet: ['wallet'],
  payment: ['wallet', 'payments'],
  job: ['jobs', 'snapshots', 'backups', 'firewall', 'reverseNames', 'console'],
  monitoring: ['console.monitoring'],
  account: ['accounts'],
}

/** A server of a later version may tell of more. */
const known: Record<string, readonly string[]> = ownersReads

export function readAgain(queryClient: QueryClient, kind: string): void {
  for (const read of known[kind] ?? []) askAgain(queryClient, [read.split('.')])
}

/** A first answer on its way, which the library takes for the new one, may be older than the change: asked after it. */
export function askAgain(queryClient: QueryClient, queryKey: QueryKey): void {
  const isFirst = (query: Query) => query.state.fetchStatus === 'fetching' && query.state.data === undefined
  const first = queryClient
    .getQueryCache()
    .findAll({ queryKey, predicate: (query) => isFirst(query) && !later.has(query) })
  void queryClient.invalidateQueries({ queryKey })
  for (const query of first) {
    const ask = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    later.add(query)
    void query
      .fetch()
      .then(ask, () => undefined)
      .finally(() => later.delete(query))
  }
}
const later = new WeakSet<Query>()
