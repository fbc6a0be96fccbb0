import * as text from '@vps/shared/text'
import * as pages from '../../../page-names'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import type { AdminUserView } from '@vps/shared/accounts.contract'
import { Ellipsis, Users as UsersIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useSession } from '../../../api/session'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Button, IconButton } from '../../../ui/Button'
import { Chip, Tag } from '../../../ui/Chip'
import { Menu } from '../../../ui/Menu'
import { Money } from '../../../ui/Money'
import { RowActions, TwoLines, type Column } from '../../../ui/Table'
import { Dim, Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { Conditions } from '../parts/Conditions'
import { ListPage } from '../parts/ListPage'
import { AdjustDialog } from './AdjustDialog'
import { RoleConfirm, StatusDialog } from './account-acts'
import { WalletDialog } from './WalletDialog'

/** 用户. */
export default function UsersPage() {
  return (
    <AdminOnly title={labels.user} denied={operationsDenied}>
      <Users />
    </AdminOnly>
  )
}

interface Acts {
  adjust: (user: AdminUserView) => void
  status: (user: AdminUserView) => void
  role: (user: AdminUserView) => void
  wallet: (user: AdminUserView) => void
}

function Users() {
  const filters = useFilters(['q'] as const)
  const { q } = filters.values
  const { user: me } = useSession()
  const users = trpc.users.list.useQuery(
    { page: filters.page, size: filters.size, ...(q ? { search: q } : {}) },
    { placeholderData: keepPreviousData },
  )
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
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: '用户名或邮箱' }}
          active={filters.active}
          onReset={filters.reset}
        />
      }
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
    {
      key: 'actions',
      head: labels.actions,
      align: 'right',
      phone: 'actions',
      cell: (user) => {
        const own = user.id === ownId
        return (
          <RowActions>
            <Button tone="quiet" size="sm" aria-label={`调整余额 ${user.username}`} onClick={() => acts.adjust(user)}>
              {verbs.adjustBalance}
            </Button>
            <Menu
              label={`${user.username} 的操作`}
              trigger={
                <IconButton label={`${user.username} 的更多操作`} size="sm">
                  <Ellipsis size={18} strokeWidth={1.75} />
                </IconButton>
              }
              entries={[
                {
                  id: 'orders',
                  label: verbs.viewOrder,
                  textValue: verbs.viewOrder,
                  href: paths.allOrders({ user: user.id }),
                },
                {
                  id: 'wallet',
                  label: labels.walletEntries,
                  textValue: labels.walletEntries,
                  onAction: () => acts.wallet(user),
                },
                {
                  id: 'audit',
                  label: pages.auditLog,
                  textValue: pages.auditLog,
                  href: paths.audit({ subject: user.id }),
                },
                {
                  id: 'role',
                  label: user.isAdmin ? verbs.revokeAdmin : verbs.makeAdmin,
                  textValue: labels.role,
                  reason: own ? text.noOwnRole : null,
                  onAction: () => acts.role(user),
                },
                {
                  id: 'status',
                  label: user.status === 'active' ? verbs.suspendAccount : verbs.enableAccount,
                  textValue: labels.status,
                  danger: user.status === 'active',
                  reason: own ? text.noSelfSuspend : null,
                  onAction: () => acts.status(user),
                },
              ]}
            />
          </RowActions>
        )
      },
    },
  ]
}
