import type { QueryClient } from '@tanstack/react-query'
import type { NotificationKind } from '@vps/shared/notifications'
import { paceReads } from './paced-reads'

/** Each of somebody's many servers tells of each step it takes. */
const everyMs = 1_000

const ofMachine: readonly NotificationKind[] = ['server', 'job']

/** What tells of a change in one's own: of a noun's reads, or of one. Samples come by the minute, and nothing tells. */
export const ownersReads: Record<string, readonly NotificationKind[]> = {
  orders: ['order', 'server'],
  'orders.renewalsAhead': ['order', 'server', 'wallet'],
  // What a server may have is bought with its order.
  backups: ['order', ...ofMachine],
  snapshots: ofMachine,
  firewall: ofMachine,
  reverseNames: ofMachine,
  'console.details': ofMachine,
  'console.install': ofMachine,
  'console.logs': ofMachine,
  'console.monitoring': [...ofMachine, 'monitoring'],
  wallet: ['wallet', 'payment'],
  payments: ['payment'],
  jobs: ['job'],
  accounts: ['account'],
  secondFactor: ['account'],
}

/** Also where nobody looks: an order goes on by itself while its customer pays in another tab. */
const seen = Object.assign(new EventTarget(), { hidden: false })

/** A server of a later version may tell of more kinds. */
export const paceOwnersReads = (queryClient: QueryClient) =>
  paceReads<string>(
    queryClient,
    Object.entries(ownersReads).map(([read, kinds]) => ({ queryKey: [read.split('.')], everyMs, kinds })),
    seen,
  )
