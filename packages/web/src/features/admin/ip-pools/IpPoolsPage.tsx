import type { PoolView } from '@vps/shared/fleet'
import { Network, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Button } from '../../../ui/Button'
import { Mono, NameButton, RowActions, type Column } from '../../../ui/Table'
import { Dim } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { cutPage, ListPage } from '../parts/ListPage'
import { Used } from '../parts/Meter'
import { AddressesDialog } from './AddressesDialog'

const PoolDialog = lazy(() => import('./PoolDialog'))

/** IP 池. */
export default function IpPoolsPage() {
  return (
    <AdminOnly title="IP 池" denied={operationsDenied}>
      <IpPools />
    </AdminOnly>
  )
}

function IpPools() {
  const filters = useFilters([])
  const pools = trpc.admin.operations.pools.useQuery(undefined, { refetchInterval: 30_000 })
  const [adding, setAdding] = useState(false)
  const [opened, setOpened] = useState<PoolView | null>(null)
  return (
    <ListPage
      title="IP 池"
      what="IP 池"
      read={{ ...pools, data: cutPage(pools.data, filters.page, filters.size) }}
      filters={filters}
      columns={columnsOf(setOpened)}
      rowKey={(pool) => pool.id}
      empty={{ icon: Network, text: '服务器的公网地址从 IP 池中分配，一个池可用于多台宿主机。' }}
      action={
        <Button tone="primary" icon={<Plus size={16} strokeWidth={1.75} aria-hidden />} onClick={() => setAdding(true)}>
          新增
        </Button>
      }
    >
      {adding && (
        <Suspense fallback={null}>
          <PoolDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {opened && <AddressesDialog pool={opened} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}

function columnsOf(open: (pool: PoolView) => void): Column<PoolView>[] {
  return [
    {
      key: 'name',
      head: '名称',
      phone: 'title',
      cell: (pool) => <NameButton onClick={() => open(pool)}>{pool.name}</NameButton>,
    },
    { key: 'network', head: '网段', cell: (pool) => <Mono>{pool.network}</Mono> },
    { key: 'gateway', head: '网关', cell: (pool) => (pool.gateway ? <Mono>{pool.gateway}</Mono> : <Dim>—</Dim>) },
    {
      key: 'dns',
      head: 'DNS',
      cell: (pool) => (pool.dns.length > 0 ? <Mono>{pool.dns.join('、')}</Mono> : <Dim>—</Dim>),
    },
    {
      key: 'used',
      head: '已用',
      cell: (pool) => <Used label={`${pool.name} 已用地址`} used={pool.used} total={pool.total} unit="个" />,
    },
    { key: 'reserved', head: '保留', align: 'right', cell: (pool) => pool.reserved },
    {
      key: 'free',
      head: '可用',
      align: 'right',
      cell: (pool) => Math.max(0, pool.total - pool.used - pool.reserved),
    },
    { key: 'hosts', head: '宿主机', cell: (pool) => pool.hosts.join('、') || <Dim>—</Dim> },
    {
      key: 'actions',
      head: '操作',
      align: 'right',
      phone: 'actions',
      cell: (pool) => (
        <RowActions>
          <Button tone="quiet" size="sm" aria-label={`查看地址 ${pool.name}`} onClick={() => open(pool)}>
            查看地址
          </Button>
        </RowActions>
      ),
    },
  ]
}
