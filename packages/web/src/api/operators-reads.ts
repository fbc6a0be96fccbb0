import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import type { ShopKind } from '@vps/shared/notifications'
import { paceReads, type PacedRead } from './paced-reads'
import { trpc } from './trpc'

/** A list is one indexed page; the overview adds up thirty days, or all of a year. */
const [list, sums, year] = [1_000, 5_000, 60_000]

const ofMachine: readonly ShopKind[] = ['server', 'job', 'order']
/** Of what it is about: a change of one is a change of what is shown. */
const names: readonly ShopKind[] = ['server', 'host', 'user']
const hosts: readonly ShopKind[] = ['host', 'finding', 'job', 'group', 'ip-pool', 'address']

export const operatorsReads: PacedRead<ShopKind>[] = [
  {
    queryKey: getQueryKey(trpc.operations.overview),
    everyMs: sums,
    kinds: [
      'order',
      'wallet',
      'job',
      'host',
      'finding',
      'user',
      'group',
      'address',
      'server',
      'category',
      'price-group',
      'image',
      'ip-pool',
      'site',
    ],
  },
  { queryKey: getQueryKey(trpc.operations.months), everyMs: year, kinds: ['order', 'wallet', 'user'] },
  {
    queryKey: getQueryKey(trpc.shop.unsold),
    everyMs: sums,
    kinds: ['category', 'group', 'price-group', 'image', 'host', 'finding', 'ip-pool', 'address', 'server', 'order'],
  },
  { queryKey: getQueryKey(trpc.operations.waiting), everyMs: list, kinds: ['order', 'job', 'finding'] },
  { queryKey: getQueryKey(trpc.operations.latency), everyMs: sums, kinds: ['latency'] },
  { queryKey: getQueryKey(trpc.orders.all), everyMs: list, kinds: ['order', 'server', 'user', 'group'] },
  { queryKey: getQueryKey(trpc.payments.all), everyMs: list, kinds: ['payment', 'user'] },
  { queryKey: getQueryKey(trpc.refunds.list), everyMs: list, kinds: ['order', 'user'] },
  { queryKey: getQueryKey(trpc.hosts.list), everyMs: list, kinds: hosts },
  { queryKey: getQueryKey(trpc.hosts.get), everyMs: list, kinds: hosts },
  { queryKey: getQueryKey(trpc.hosts.load), everyMs: sums, kinds: ['host'] },
  { queryKey: getQueryKey(trpc.hosts.growth), everyMs: sums, kinds: ['host', 'order', 'job'] },
  { queryKey: getQueryKey(trpc.hosts.addresses), everyMs: list, kinds: ['ip-pool', 'address', 'order', 'server'] },
  {
    queryKey: getQueryKey(trpc.lostOrders.list),
    everyMs: list,
    kinds: ['host', 'order', 'address', 'job', 'server', 'user'],
  },
  {
    queryKey: getQueryKey(trpc.migrations.list),
    everyMs: list,
    kinds: ['host', 'order', 'address', 'job', 'server', 'site', 'user'],
  },
  { queryKey: getQueryKey(trpc.migrations.hosts), everyMs: list, kinds: ['host', 'group', 'ip-pool', 'address'] },
  { queryKey: getQueryKey(trpc.images.list), everyMs: list, kinds: ['image', 'host'] },
  { queryKey: getQueryKey(trpc.pools.list), everyMs: list, kinds: ['ip-pool', 'address', 'order'] },
  { queryKey: getQueryKey(trpc.pools.addresses), everyMs: list, kinds: ['ip-pool', 'address', 'order', 'server'] },
  { queryKey: getQueryKey(trpc.pools.history), everyMs: list, kinds: ['address', 'order', 'server', 'user'] },
  { queryKey: getQueryKey(trpc.jobs.list), everyMs: list, kinds: ['job', ...names] },
  { queryKey: getQueryKey(trpc.findings.list), everyMs: list, kinds: ['finding', ...names] },
  { queryKey: getQueryKey(trpc.findings.get), everyMs: list, kinds: ['finding', ...names] },
  { queryKey: getQueryKey(trpc.audit.list), everyMs: list, kinds: ['audit'] },
  { queryKey: getQueryKey(trpc.users.list), everyMs: list, kinds: ['user', 'wallet', 'order'] },
  { queryKey: getQueryKey(trpc.users.get), everyMs: list, kinds: ['user', 'wallet', 'order'] },
  { queryKey: getQueryKey(trpc.users.devices), everyMs: list, kinds: ['user'] },
  { queryKey: getQueryKey(trpc.users.notes), everyMs: list, kinds: ['user'] },
  { queryKey: getQueryKey(trpc.alerts.get), everyMs: list, kinds: ['user', 'mail'] },
  { queryKey: getQueryKey(trpc.mails.list), everyMs: list, kinds: ['mail'] },
  { queryKey: getQueryKey(trpc.wallet.transactionsOf), everyMs: list, kinds: ['wallet'] },
  // A customer's console, whose owner alone is told of what is theirs.
  { queryKey: getQueryKey(trpc.orders.get), everyMs: list, kinds: ['order', 'server'] },
  { queryKey: getQueryKey(trpc.jobs.get), everyMs: list, kinds: ['job'] },
  ...[
    trpc.console.details,
    trpc.console.install,
    trpc.console.logs,
    trpc.snapshots,
    trpc.backups,
    trpc.firewall,
    trpc.reverseNames,
  ].map((read) => ({ queryKey: getQueryKey(read), everyMs: list, kinds: ofMachine })),
  {
    queryKey: getQueryKey(trpc.servers.list),
    everyMs: list,
    kinds: ['server', 'order', 'job', 'group', 'host', 'user'],
  },
  { queryKey: getQueryKey(trpc.catalogue.categories), everyMs: list, kinds: ['category', 'group'] },
  {
    queryKey: getQueryKey(trpc.catalogue.groups),
    everyMs: list,
    kinds: ['group', 'category', 'server', 'price-group', 'finding'],
  },
  { queryKey: getQueryKey(trpc.catalogue.priceGroups), everyMs: list, kinds: ['price-group', 'group'] },
  { queryKey: getQueryKey(trpc.catalogue.priceGroup), everyMs: list, kinds: ['price-group'] },
  { queryKey: getQueryKey(trpc.announcements.list), everyMs: list, kinds: ['announcement', 'group', 'host'] },
  { queryKey: getQueryKey(trpc.status.incidents), everyMs: list, kinds: ['incident'] },
  { queryKey: getQueryKey(trpc.site.get), everyMs: list, kinds: ['site'] },
  { queryKey: getQueryKey(trpc.backupRepository.get), everyMs: list, kinds: ['site', 'host'] },
  { queryKey: getQueryKey(trpc.reverseDns.get), everyMs: list, kinds: ['site'] },
]

/** Customers never load it. */
export const paceOperatorsReads = (queryClient: QueryClient) => paceReads(queryClient, operatorsReads)
