import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import type { ShopKind } from '@vps/shared/hints'
import { paceReads, type PacedRead } from './paced-reads'
import { trpc } from './trpc'

const { catalogue, operations, servers, users } = trpc.admin
/** A list is one page from an index; the overview adds up thirty days. */
const [list, sums] = [1_000, 5_000]

/** What operators' screens read, and which changes of the shop touch it. */
export const operatorsReads: PacedRead<ShopKind>[] = [
  {
    queryKey: getQueryKey(operations.overview),
    everyMs: sums,
    kinds: ['order', 'wallet', 'job', 'host', 'finding', 'user', 'group'],
  },
  { queryKey: getQueryKey(operations.latency), everyMs: sums, kinds: ['latency'] },
  { queryKey: getQueryKey(operations.orders), everyMs: list, kinds: ['order', 'server'] },
  { queryKey: getQueryKey(operations.refunds), everyMs: list, kinds: ['order'] },
  { queryKey: getQueryKey(operations.hosts), everyMs: list, kinds: ['host', 'finding', 'job'] },
  { queryKey: getQueryKey(operations.hostLoad), everyMs: sums, kinds: ['host'] },
  { queryKey: getQueryKey(operations.images), everyMs: list, kinds: ['image'] },
  { queryKey: getQueryKey(operations.pools), everyMs: list, kinds: ['ip-pool', 'address', 'order'] },
  { queryKey: getQueryKey(operations.addresses), everyMs: list, kinds: ['ip-pool', 'address', 'order'] },
  { queryKey: getQueryKey(operations.jobs), everyMs: list, kinds: ['job'] },
  { queryKey: getQueryKey(operations.findings), everyMs: list, kinds: ['finding'] },
  { queryKey: getQueryKey(operations.audit), everyMs: list, kinds: ['audit'] },
  { queryKey: getQueryKey(users.list), everyMs: list, kinds: ['user', 'wallet', 'order'] },
  { queryKey: getQueryKey(users.transactions), everyMs: list, kinds: ['wallet'] },
  { queryKey: getQueryKey(servers.list), everyMs: list, kinds: ['server', 'order', 'job'] },
  { queryKey: getQueryKey(catalogue.categories), everyMs: list, kinds: ['category'] },
  { queryKey: getQueryKey(catalogue.groups), everyMs: list, kinds: ['group', 'category', 'server'] },
  { queryKey: getQueryKey(catalogue.priceGroups), everyMs: list, kinds: ['price-group', 'group'] },
  { queryKey: getQueryKey(trpc.announcements.list), everyMs: list, kinds: ['announcement'] },
]

/** Keeps what operators look at fresh. Loaded only where the first such hint comes: customers never need it. */
export const paceOperatorsReads = (queryClient: QueryClient) => paceReads(queryClient, operatorsReads)
