import { keepPreviousData } from '@tanstack/react-query'
import { canMove, orderStatuses, orderStatusNames, type OrderStatus } from '@vps/shared/orders'
import { periodNames, periods } from '@vps/shared/periods'
import { text } from '@vps/shared/text'
import { ClipboardList, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Button, ButtonLink, IconButton } from '../../../ui/Button'
import { Menu, type MenuEntry } from '../../../ui/Menu'
import { Money } from '../../../ui/Money'
import { Expiry, OrderChip } from '../../../ui/order'
import { options, Select } from '../../../ui/Select'
import { Mono, NameButton, RowActions, TwoLines, type Column } from '../../../ui/Table'
import { Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { FilterTag } from '../parts/FilterTag'
import { ListPage } from '../parts/ListPage'
import type { AnyOrder } from '../parts/rows'
import { AdminOrderDialog } from './AdminOrderDialog'
import { MoveConfirm, RenewForOwner, type AdminMove } from './order-moves'

/** 全部订单. */
export default function AllOrdersPage() {
  return (
    <AdminOnly title="全部订单" denied={operationsDenied}>
      <AllOrders />
    </AdminOnly>
  )
}

interface Acts {
  open: (order: AnyOrder) => void
  move: (move: AdminMove) => void
  renew: (order: AnyOrder) => void
}

function AllOrders() {
  const filters = useFilters(['q', 'status', 'period', 'user'] as const)
  const { q, user } = filters.values
  const status = chosen(orderStatuses, filters.values.status)
  const period = chosen(periods, filters.values.period)
  const orders = trpc.orders.all.useQuery(
    {
      page: filters.page,
      size: filters.size,
      ...(q ? { search: q } : {}),
      ...(status ? { status } : {}),
      ...(period ? { billingPeriod: period } : {}),
      ...(user ? { userId: user } : {}),
    },
    { placeholderData: keepPreviousData },
  )
  const [opened, setOpened] = useState<AnyOrder | null>(null)
  const [moving, setMoving] = useState<AdminMove | null>(null)
  const [renewing, setRenewing] = useState<AnyOrder | null>(null)

  return (
    <ListPage
      title="全部订单"
      what="订单"
      failed={text.ordersLoadFailed}
      wide
      read={orders}
      filters={filters}
      columns={columnsOf({ open: setOpened, move: setMoving, renew: setRenewing })}
      rowKey={(order) => order.id}
      empty={{ icon: ClipboardList, text: '客户下单后，订单会显示在这里。' }}
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: '订单号、用户或服务器' }}
          active={filters.active}
          onReset={filters.reset}
        >
          <Select
            label="状态"
            value={status ?? ''}
            onChange={(status) => filters.set({ status })}
            options={options([
              ['', '全部状态'],
              ...orderStatuses.map((value) => [value, orderStatusNames[value]] as const),
            ])}
          />
          <Select
            label="计费周期"
            value={period ?? ''}
            onChange={(period) => filters.set({ period })}
            options={options([['', '全部周期'], ...periods.map((value) => [value, periodNames[value]] as const)])}
          />
          {user && (
            <FilterTag
              label={`用户 ${orders.data?.content[0]?.ownerName ?? user.slice(-6)}`}
              onRemove={() => filters.set({ user: '' })}
            />
          )}
        </Conditions>
      }
    >
      {opened && <AdminOrderDialog order={opened} onClose={() => setOpened(null)} />}
      {moving && <MoveConfirm move={moving} onClose={() => setMoving(null)} />}
      {renewing && <RenewForOwner order={renewing} onClose={() => setRenewing(null)} />}
    </ListPage>
  )
}

function columnsOf(acts: Acts): Column<AnyOrder>[] {
  return [
    {
      key: 'order',
      head: '订单号',
      phone: 'title',
      cell: (order) => (
        <TwoLines>
          <NameButton onClick={() => acts.open(order)}>
            <Mono>{order.orderNumber}</Mono>
          </NameButton>
          <small title={order.serverName}>{order.serverName}</small>
        </TwoLines>
      ),
    },
    { key: 'owner', head: '用户', cell: (order) => order.ownerName },
    { key: 'status', head: '状态', phone: 'chip', cell: (order) => <OrderChip status={order.status} /> },
    {
      key: 'amount',
      head: '金额',
      align: 'right',
      cell: (order) => (
        <TwoLines>
          <Money yuan={order.amount} />
          <small>{periodNames[order.billingPeriod]}</small>
        </TwoLines>
      ),
    },
    {
      key: 'spec',
      head: '配置',
      cell: (order) => (
        <TwoLines>
          <span>
            {order.cpuCores} 核 {order.memoryGb} GB
          </span>
          <small>
            {order.osName} {order.osVersion}
          </small>
        </TwoLines>
      ),
    },
    { key: 'created', head: '创建时间', cell: (order) => <Time at={order.createdAt} /> },
    { key: 'expires', head: '到期时间', cell: (order) => <Expiry at={order.expiresAt} /> },
    {
      key: 'actions',
      head: '操作',
      align: 'right',
      phone: 'actions',
      cell: (order) => (
        <RowActions>
          {order.status === 'ACTIVE' || order.status === 'SUSPENDED' ? (
            <ButtonLink tone="quiet" size="sm" href={paths.console(order.id)}>
              管理服务器
            </ButtonLink>
          ) : (
            <Button tone="quiet" size="sm" onClick={() => acts.open(order)}>
              查看详情
            </Button>
          )}
          <Menu
            label={`订单 ${order.orderNumber} 的操作`}
            trigger={
              <IconButton label={`订单 ${order.orderNumber} 的更多操作`} size="sm">
                <Ellipsis size={18} strokeWidth={1.75} />
              </IconButton>
            }
            entries={entriesOf(order, acts)}
          />
        </RowActions>
      ),
    },
  ]
}

/** What an administrator may do with an order; the table of moves decides, the reason stays readable. */
function entriesOf(order: AnyOrder, acts: Acts): MenuEntry[] {
  const move = (id: string, label: string, to: OrderStatus, from: OrderStatus[], danger = false): MenuEntry => ({
    id,
    label,
    textValue: label,
    danger,
    reason: from.includes(order.status) && canMove(order.status, to, 'admin') ? null : reasonFor(from),
    onAction: () => acts.move({ order, to }),
  })
  const renewable = order.status === 'ACTIVE' || order.status === 'SUSPENDED'
  return [
    { id: 'open', label: '查看详情', textValue: '查看详情', onAction: () => acts.open(order) },
    { id: 'jobs', label: '查看任务', textValue: '查看任务', ...jobsOf(order) },
    { id: 'audit', label: '审计日志', textValue: '审计日志', href: paths.audit({ subject: order.id }) },
    {
      id: 'renew',
      label: '续费',
      textValue: '续费',
      reason: renewable ? null : reasonFor(['ACTIVE', 'SUSPENDED']),
      onAction: () => acts.renew(order),
    },
    move('resume', '恢复', 'ACTIVE', ['SUSPENDED']),
    move('suspend', '暂停', 'SUSPENDED', ['ACTIVE'], true),
    move('cancel', '取消订单', 'CANCELLED', ['PENDING', 'PAID'], true),
  ]
}

const jobsOf = ({ serverId }: AnyOrder) =>
  serverId ? { href: paths.jobs({ server: serverId }) } : { reason: '还没有服务器' }

const reasonFor = (from: OrderStatus[]) => `仅限${from.map((status) => orderStatusNames[status]).join('、')}的订单`
