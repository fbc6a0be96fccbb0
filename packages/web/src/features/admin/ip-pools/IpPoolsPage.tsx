import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import type { PoolView } from '@vps/shared/pools.contract'
import { Network } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Button } from '../../../ui/Button'
import { Mono, NameButton, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim } from '../../../ui/Time'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { CreateButton } from '../parts/cells'
import { SearchOnly } from '../parts/Conditions'
import { DeleteConfirm } from '../parts/DeleteConfirm'
import { ListPage } from '../parts/ListPage'
import { Used } from '../parts/Meter'
import { machinesText } from '../parts/names-text'
import { rereadOperations } from '../parts/reread'
import { AddressesDialog } from './AddressesDialog'
import { AddressHistoryDialog } from './AddressHistoryDialog'
import { Opening } from '../../../ui/Opening'
import { useSearched } from '../parts/use-searched'
import { actionsColumn, RowButton } from '../../../ui/columns'
import { useParam } from '../../../ui/use-param'
import { lateByHand } from '../../../loading/late-by-hand'

const PoolDialog = lateByHand(() => import('./PoolDialog'))

/** IP 池. */
export default function IpPoolsPage() {
  return (
    <AdminOnly title={labels.ipPool} denied={operationsDenied}>
      <IpPools />
    </AdminOnly>
  )
}

function IpPools() {
  const { filters, asked } = useSearched()
  const pools = trpc.pools.list.useQuery(asked, { placeholderData: keepPreviousData })
  const [edited, setEdited] = useState<PoolView | 'new' | null>(null)
  const [deleted, setDeleted] = useState<PoolView | null>(null)
  const utils = trpc.useUtils()
  const remove = trpc.pools.delete.useMutation()
  const [opened, setOpened] = useState<PoolView | null>(null)
  const [history, setHistory] = useParam('history')
  return (
    <ListPage
      title={labels.ipPool}
      what={labels.ipPool}
      wide
      read={pools}
      filters={filters}
      exported={{ list: 'ip-pools', asked }}
      columns={columnsOf({ open: setOpened, edit: setEdited, remove: setDeleted })}
      rowKey={(pool) => pool.id}
      empty={{ icon: Network, text: '服务器的地址从 IP 池中分配，公网地址的池可用于多台宿主机。' }}
      conditions={<SearchOnly filters={filters} placeholder="名称或网段" />}
      action={<CreateButton onClick={() => setEdited('new')} />}
    >
      {edited && (
        <Opening onGiveUp={() => setEdited(null)}>
          <PoolDialog pool={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Opening>
      )}
      {deleted && (
        <DeleteConfirm
          what={labels.ipPool}
          failed="删除 IP 池失败"
          run={async () => {
            await remove.mutateAsync({ id: deleted.id })
            await rereadOperations(utils)
          }}
          onClose={() => setDeleted(null)}
        >
          <p>
            将删除 <b>{deleted.name}</b>（{deleted.network}）的 {deleted.total} 个地址和其中的保留设置。
          </p>
          <p>仍有宿主机或服务器使用的 IP 池不能删除。</p>
        </DeleteConfirm>
      )}
      {opened && <AddressesDialog pool={opened} onHistory={setHistory} onClose={() => setOpened(null)} />}
      {history !== null && <AddressHistoryDialog key={history} of={history} onClose={() => setHistory(null)} />}
    </ListPage>
  )
}

interface Acts {
  open: (pool: PoolView) => void
  edit: (pool: PoolView) => void
  remove: (pool: PoolView) => void
}

function columnsOf({ open, edit, remove }: Acts): Column<PoolView>[] {
  return [
    {
      key: 'name',
      head: labels.name,
      phone: 'title',
      cell: (pool) => <NameButton onClick={() => open(pool)}>{pool.name}</NameButton>,
    },
    {
      key: 'network',
      head: labels.network,
      cell: (pool) => (
        <TwoLines>
          <Mono>{pool.network}</Mono>
          {pool.machinePrefix !== null && <small>每台服务器一个 /{pool.machinePrefix} 前缀</small>}
          {pool.nat && (
            <small>
              NAT · {pool.nat.address}:{pool.nat.firstPort}–{pool.nat.lastPort} · 每个地址 {pool.nat.ports} 个端口
            </small>
          )}
          {(pool.firstAddress ?? pool.lastAddress) && (
            <small>
              {pool.firstAddress ?? '开头'} – {pool.lastAddress ?? '末尾'}
            </small>
          )}
        </TwoLines>
      ),
    },
    {
      key: 'gateway',
      head: labels.gateway,
      cell: (pool) => (pool.gateway ? <Mono>{pool.gateway}</Mono> : <Dim>—</Dim>),
    },
    {
      key: 'dns',
      head: 'DNS',
      cell: (pool) => (pool.dns.length > 0 ? <Mono>{pool.dns.join('、')}</Mono> : <Dim>—</Dim>),
    },
    {
      key: 'link',
      head: labels.bridge,
      cell: (pool) => (pool.bridge ? <Mono>{pool.bridge}</Mono> : <Dim>随宿主机</Dim>),
    },
    {
      key: 'used',
      head: labels.taken,
      cell: (pool) => (
        <Used label={`${pool.name} 已用地址`} used={pool.used} total={pool.total} unit={labels.piecesUnit} />
      ),
    },
    { key: 'reserved', head: labels.reserved, align: 'right', cell: (pool) => pool.reserved },
    {
      key: 'free',
      head: states.available,
      align: 'right',
      cell: (pool) => Math.max(0, pool.total - pool.used - pool.reserved),
    },
    {
      key: 'hosts',
      head: labels.host,
      cell: ({ id, hosts }) =>
        hosts.length > 0 ? <Link href={paths.hosts({ pool: id })}>{machinesText(hosts)}</Link> : <Dim>—</Dim>,
    },
    actionsColumn((pool) => (
      <>
        <RowButton verb="查看地址" of={pool.name} onClick={() => open(pool)} />
        <Button tone="quiet" size="sm" aria-label={`编辑 ${pool.name}`} onClick={() => edit(pool)}>
          {verbs.edit}
        </Button>
        <Button tone="quiet" size="sm" aria-label={`删除 ${pool.name}`} onClick={() => remove(pool)}>
          {verbs.remove}
        </Button>
      </>
    )),
  ]
}
