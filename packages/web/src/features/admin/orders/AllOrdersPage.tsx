import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'
import { keepPreviousData } from '@tanstack/react-query'
import { orderStatuses, orderStatusNames } from '@vps/shared/orders'
import { periodNames, periods } from '@vps/shared/periods'
import * as text from '@vps/shared/text'
import { ClipboardList } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { RenewConfirm } from '../../../checkout/RenewConfirm'
import { paths } from '../../../paths'
import { RowMenu } from '../../../ui/RowMenu'
import type { Column } from '../../../ui/column'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { CustomerLink } from '../parts/links'
import { DayRange } from '../../../ui/DayRange'
import { daysIn } from '../../../ui/typed-date'
import { ListPage } from '../parts/ListPage'
import type { AnyOrder } from '../parts/rows'
import { AdminOrderDialog } from './AdminOrderDialog'
import { MoveConfirm } from './order-moves'
import { FilterSelect } from '../../../ui/FilterSelect'
import {
  actionsColumn,
  amountColumn,
  createdColumn,
  expiresColumn,
  orderColumn,
  orderStatusColumn,
  specColumn,
  RowButton,
  RowLink,
} from '../../../ui/columns'
import { type Acts, type AdminMove, entriesOf } from './order-entries'

/** 全部订单. */
export default function AllOrdersPage() {
  return (
    <AdminOnly title={pages.allOrders} denied={operationsDenied}>
      <AllOrders />
    </AdminOnly>
  )
}

/** Everybody's, or one customer's. */
export function AllOrders({ user }: { user?: string }) {
  const filters = useFilters(['q', 'status', 'period', 'from', 'to'] as const)
  const { q } = filters.values
  const status = chosen(orderStatuses, filters.values.status)
  const period = chosen(periods, filters.values.period)
  const asked = {
    page: filters.page,
    size: filters.size,
    ...(q ? { search: q } : {}),
    ...(status ? { status } : {}),
    ...(period ? { billingPeriod: period } : {}),
    ...daysIn(filters.values),
    ...(user ? { userId: user } : {}),
  }
  const orders = trpc.orders.all.useQuery(asked, { placeholderData: keepPreviousData })
  const [opened, setOpened] = useState<AnyOrder | null>(null)
  const isOpened = ({ id }: AnyOrder) => id === opened?.id
  const listed = orders.data?.content.find(isOpened)
  // Moved meanwhile, say, it is none of those asked for any more.
  const alone = trpc.orders.all.useQuery(
    { page: 0, size: 10, search: opened?.orderNumber ?? '' },
    { enabled: opened !== null && !listed },
  )
  const shown = opened && (listed ?? alone.data?.content.find(isOpened) ?? opened)
  const [moving, setMoving] = useState<AdminMove | null>(null)
  const [renewing, setRenewing] = useState<AnyOrder | null>(null)

  return (
    <ListPage
      part={user !== undefined}
      title={pages.allOrders}
      what={labels.order}
      failed={text.ordersLoadFailed}
      wide
      read={orders}
      filters={filters}
      exported={{ list: 'orders', asked }}
      columns={columnsOf({ open: setOpened, move: setMoving, renew: setRenewing }).filter(
        ({ key }) => key !== 'owner' || !user,
      )}
      rowKey={(order) => order.id}
      empty={{ icon: ClipboardList, text: '客户下单后，订单会显示在这里。' }}
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: '订单号、用户、服务器或 IP' }}
          active={filters.active}
          onReset={filters.reset}
        >
          <FilterSelect
            label={labels.status}
            all={labels.allStatuses}
            values={orderStatuses}
            word={(value) => orderStatusNames[value]}
            value={status ?? ''}
            onChange={(status) => filters.set({ status })}
          />
          <FilterSelect
            label={labels.billingPeriod}
            all={labels.allPeriods}
            values={periods}
            word={(value) => periodNames[value]}
            value={period ?? ''}
            onChange={(period) => filters.set({ period })}
          />
          <DayRange values={filters.values} onChange={filters.set} />
        </Conditions>
      }
    >
      {shown && <AdminOrderDialog order={shown} onClose={() => setOpened(null)} />}
      {moving && <MoveConfirm move={moving} onClose={() => setMoving(null)} />}
      {renewing && <RenewConfirm order={renewing} onClose={() => setRenewing(null)} />}
    </ListPage>
  )
}

function columnsOf(acts: Acts): Column<AnyOrder>[] {
  return [
    orderColumn(acts.open),
    { key: 'owner', head: labels.user, cell: (order) => <CustomerLink id={order.userId} name={order.ownerName} /> },
    orderStatusColumn,
    amountColumn,
    specColumn(({ osName, osVersion }) => `${osName} ${osVersion}`),
    createdColumn,
    expiresColumn,
    actionsColumn((order) => (
      <>
        {order.status === 'ACTIVE' || order.status === 'SUSPENDED' ? (
          <RowLink verb={verbs.manageServer} of={order.orderNumber} href={paths.console(order.id)} />
        ) : (
          <RowButton verb={verbs.viewDetails} of={order.orderNumber} onClick={() => acts.open(order)} />
        )}
        <RowMenu of={`订单 ${order.orderNumber}`} entries={entriesOf(order, acts)} />
      </>
    )),
  ]
}
