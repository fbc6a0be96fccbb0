import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import type { AdminUserView } from '@vps/shared/accounts.contract'
import { Users as UsersIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useSession } from '../../../api/session'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Button } from '../../../ui/Button'
import { Chip, Tag } from '../../../ui/Chip'
import { RowMenu } from '../../../ui/RowMenu'
import { Money } from '../../../ui/Money'
import { TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim, Time } from '../../../ui/Time'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { SearchOnly } from '../parts/Conditions'
import { ListPage } from '../parts/ListPage'
import { AdjustDialog } from './AdjustDialog'
import { RoleConfirm, StatusDialog } from './account-acts'
import { WalletDialog } from './WalletDialog'
import { useSearched } from '../parts/use-searched'
import { actionsColumn } from '../../../ui/columns'
import { type Acts, entriesOf } from './user-entries'

/** 用户. */
export default function UsersPage() {
  return (
    <AdminOnly title={labels.user} denied={operationsDenied}>
      <Users />
    </AdminOnly>
  )
}

function Users() {
  const { filters, asked } = useSearched()
  const { user: me } = useSession()
  const users = trpc.users.list.useQuery(asked, { placeholderData: keepPreviousData })
  const [adjusted, setAdjusted] = useState<AdminUserView | null>(null)
  const [changed, setChanged] = useState<AdminUserView | null>(null)
  const [promoted, setPromoted] = useState<AdminUserView | null>(null)
  const [opened, setOpened] = useState<AdminUserView | null>(null)
  return (
    <ListPage
      title={labels.user}
      what={labels.user}
      read={users}
      filters={filters}
      columns={columnsOf(
        { adjust: setAdjusted, status: setChanged, role: setPromoted, wallet: setOpened },
        me?.id ?? '',
      )}
      rowKey={(user) => user.id}
      empty={{ icon: UsersIcon, text: '注册的用户会显示在这里。' }}
      conditions={<SearchOnly filters={filters} placeholder="用户名或邮箱" />}
    >
      {adjusted && <AdjustDialog user={adjusted} onClose={() => setAdjusted(null)} />}
      {changed && <StatusDialog user={changed} onClose={() => setChanged(null)} />}
      {promoted && <RoleConfirm user={promoted} onClose={() => setPromoted(null)} />}
      {opened && <WalletDialog user={opened} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}

function columnsOf(acts: Acts, ownId: string): Column<AdminUserView>[] {
  return [
    {
      key: 'name',
      head: labels.username,
      phone: 'title',
      cell: (user) => (
        <TwoLines>
          <span>
            <b>{user.username}</b> {user.isAdmin && <Tag>{labels.administrator}</Tag>}
          </span>
          <small>{user.email}</small>
        </TwoLines>
      ),
    },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (user) => (
        <Chip tone={user.status === 'active' ? 'success' : 'error'}>
          {user.status === 'active' ? '正常' : '已停用'}
        </Chip>
      ),
    },
    {
      key: 'balance',
      head: labels.balance,
      align: 'right',
      cell: (user) => (user.balance === null ? <Dim>无钱包</Dim> : <Money yuan={user.balance} />),
    },
    {
      key: 'orders',
      head: labels.order,
      align: 'right',
      cell: (user) => (
        <Link href={paths.allOrders({ user: user.id })} aria-label={`${user.username} 的 ${user.orderCount} 个订单`}>
          {user.orderCount}
        </Link>
      ),
    },
    { key: 'active', head: labels.activeOrders, align: 'right', cell: (user) => user.activeCount },
    { key: 'created', head: '注册时间', cell: (user) => <Time at={user.createdAt} /> },
    actionsColumn((user) => (
      <>
        <Button tone="quiet" size="sm" aria-label={`调整余额 ${user.username}`} onClick={() => acts.adjust(user)}>
          {verbs.adjustBalance}
        </Button>
        <RowMenu of={user.username} entries={entriesOf(user, acts, user.id === ownId)} />
      </>
    )),
  ]
}
