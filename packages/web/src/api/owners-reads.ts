import type { QueryClient } from '@tanstack/react-query'
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
  for (const read of known[kind] ?? []) void queryClient.invalidateQueries({ queryKey: [read.split('.')] })
}
