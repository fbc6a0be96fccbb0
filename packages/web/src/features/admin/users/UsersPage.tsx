import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import type { AdminUserView } from '@vps/shared/accounts.contract'
import { Users as UsersIcon } from 'lucide-react'
import { Link } from 'wouter'
import { useSession } from '../../../api/session'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Tag } from '../../../ui/Chip'
import { RowMenu } from '../../../ui/RowMenu'
import { Money } from '../../../ui/Money'
import { TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim, Time } from '../../../ui/Time'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { SearchOnly } from '../parts/Conditions'
import { ListPage } from '../parts/ListPage'
import { AccountChip, useAccountActs } from './account-acts'
import { useSearched } from '../parts/use-searched'
import { actionsColumn, RowLink } from '../../../ui/columns'
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
  const { acts, dialog } = useAccountActs()
  return (
    <ListPage
      title={labels.user}
      what={labels.user}
      read={users}
      filters={filters}
      exported={{ list: 'users', asked }}
      columns={columnsOf(acts, me?.id ?? '')}
      rowKey={(user) => user.id}
      empty={{ icon: UsersIcon, text: '注册的用户会显示在这里。' }}
      conditions={<SearchOnly filters={filters} placeholder="用户名或邮箱" />}
    >
      {dialog}
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
            <Link href={paths.user(user.id)}>{user.username}</Link> {user.isAdmin && <Tag>{labels.administrator}</Tag>}{' '}
            {user.secondFactor && <Tag>{labels.secondFactor}</Tag>}
          </span>
          <small title={user.email}>{user.email}</small>
        </TwoLines>
      ),
    },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (user) => <AccountChip status={user.status} />,
    },
    {
      key: 'balance',
      head: labels.balance,
      align: 'right',
      cell: (user) => (user.balance === null ? <Dim>{labels.noWallet}</Dim> : <Money yuan={user.balance} />),
    },
    {
      key: 'orders',
      head: labels.order,
      align: 'right',
      cell: (user) => (
        <Link href={paths.user(user.id)} aria-label={`${user.username} 的 ${user.orderCount} 个订单`}>
          {user.orderCount}
        </Link>
      ),
    },
    { key: 'active', head: labels.activeOrders, align: 'right', cell: (user) => user.activeCount },
    { key: 'created', head: labels.registeredAt, cell: (user) => <Time at={user.createdAt} /> },
    actionsColumn((user) => (
      <>
        <RowLink verb={verbs.viewDetails} of={user.username} href={paths.user(user.id)} />
        <RowMenu of={user.username} entries={entriesOf(user, acts, user.id === ownId)} />
      </>
    )),
  ]
}
