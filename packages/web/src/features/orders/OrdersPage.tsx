import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { orderCan, orderStatuses, orderStatusNames } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { periodNames, periods } from '@vps/shared/periods'
import * as text from '@vps/shared/text'
import { ClipboardList } from 'lucide-react'
import { lazy, useState } from 'react'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/Button'
import { RowMenu } from '../../ui/RowMenu'
import { Page } from '../../ui/Page'
import { counted, PagedTable } from '../../ui/PagedTable'
import { Empty } from '../../ui/states'
import type { Column } from '../../ui/column'
import { Toolbar } from '../../ui/Toolbar'
import { isOneOf } from '../../ui/address-filters'
import { useFilters } from '../../ui/use-filters'
import { useParam } from '../../ui/use-param'
import { AutoRenewalSwitch, CancelConfirm } from './order-actions'
import { orderEntries, type OrderActs } from './order-entries'
import { OrderDialog } from './OrderDialog'
import { RefundDialog } from './RefundDialog'
import { RenewConfirm } from '../../checkout/RenewConfirm'
import { FilterSelect, StatusFilter } from '../../ui/FilterSelect'
import { Opening } from '../../ui/Opening'
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
} from '../../ui/columns'

const PayDialog = lazy(() => import('../../checkout/PayDialog'))
const UpgradeDialog = lazy(() => import('../../checkout/UpgradeDialog'))

/** `?orderId=` opens one, `?pay=` pays one. */
export default function OrdersPage() {
  const filters = useFilters(['q', 'status', 'period'] as const)
  const { q, status, period } = filters.values
  const orders = trpc.orders.page.useQuery(
    {
      page: filters.page,
      size: filters.size,
      ...(q ? { search: q } : {}),
      ...(isOneOf(orderStatuses, status) ? { status } : {}),
      ...(isOneOf(periods, period) ? { billingPeriod: period } : {}),
    },
    { placeholderData: (old) => old },
  )
  const page = orders.data
  const [opened, show] = useParam('orderId')
  const [paying, setPaying] = useParam('pay')
  const [cancelling, setCancelling] = useState<OrderView | null>(null)
  const [renewing, setRenewing] = useState<OrderView | null>(null)
  const [growing, setUpgrading] = useState<OrderView | null>(null)
  const upgrading = page?.content.find(({ id }) => id === growing?.id) ?? growing
  const [refunding, setRefunding] = useState<OrderView | null>(null)

  const acts: OrderActs = {
    open: (order) => show(order.id),
    pay: (order) => setPaying(order.id),
    cancel: setCancelling,
    renew: setRenewing,
    upgrade: setUpgrading,
    refund: setRefunding,
  }

  return (
    <Page
      title={labels.order}
      heading={page ? `${labels.order} ${counted(page)}` : labels.order}
      refresh={{ updatedAt: orders.dataUpdatedAt, busy: orders.isFetching, run: () => void orders.refetch() }}
      actions={
        <ButtonLink tone="primary" href={paths.sales()}>
          选购服务器
        </ButtonLink>
      }
    >
      <Conditions filters={filters} />
      <PagedTable
        label={labels.order}
        columns={columnsOf(acts)}
        rowKey={(order) => order.id}
        read={orders}
        paging={filters}
        failed={text.ordersLoadFailed}
        empty={<NoOrders />}
      />
      {opened && <OrderDialog orderId={opened} acts={acts} onClose={() => show(null)} />}
      {cancelling && <CancelConfirm order={cancelling} onClose={() => setCancelling(null)} />}
      {renewing && <RenewConfirm order={renewing} onClose={() => setRenewing(null)} />}
      {refunding && <RefundDialog order={refunding} onClose={() => setRefunding(null)} />}
      {upgrading && (
        <Opening onGiveUp={() => setUpgrading(null)}>
          <UpgradeDialog order={upgrading} onClose={() => setUpgrading(null)} />
        </Opening>
      )}
      {paying && (
        <Opening onGiveUp={() => setPaying(null)}>
          <PayDialog orderId={paying} onClose={() => setPaying(null)} />
        </Opening>
      )}
    </Page>
  )
}

function Conditions({ filters }: { filters: ReturnType<typeof useFilters<'q' | 'status' | 'period'>> }) {
  const { q, status, period } = filters.values
  return (
    <Toolbar
      search={q}
      onSearch={(q) => filters.set({ q })}
      placeholder="搜索订单号、服务器、IP 或标签"
      active={filters.active}
      onReset={filters.reset}
    >
      <StatusFilter
        values={orderStatuses}
        word={(value) => orderStatusNames[value]}
        value={status}
        onChange={(status) => filters.set({ status })}
      />
      <FilterSelect
        label={labels.billingPeriod}
        bare
        all={labels.allPeriods}
        values={periods}
        word={(value) => periodNames[value]}
        value={period}
        onChange={(period) => filters.set({ period })}
      />
    </Toolbar>
  )
}

function NoOrders() {
  return (
    <Empty
      icon={ClipboardList}
      title="暂无订单"
      action={
        <ButtonLink tone="primary" href={paths.sales()}>
          去选购
        </ButtonLink>
      }
    >
      购买服务器后，订单会显示在这里。
    </Empty>
  )
}

function columnsOf(acts: OrderActs): Column<OrderView>[] {
  return [
    orderColumn(acts.open),
    orderStatusColumn,
    amountColumn,
    specColumn(({ storageGb, bandwidthMbps }) => `${storageGb} GB · ${bandwidthMbps} Mbps`),
    createdColumn,
    expiresColumn,
    { key: 'renewal', head: labels.autoRenewal, cell: (order) => <AutoRenewalSwitch order={order} /> },
    actionsColumn((order) => (
      <>
        <MainAction order={order} acts={acts} />
        <RowMenu of={`订单 ${order.orderNumber}`} entries={orderEntries(order, acts)} />
      </>
    )),
  ]
}

function MainAction({ order, acts }: { order: OrderView; acts: OrderActs }) {
  if (orderCan.pay(order)) {
    return <RowButton verb={verbs.pay} of={order.orderNumber} onClick={() => acts.pay(order)} />
  }
  if (orderCan.manage(order)) {
    return <RowLink verb={verbs.manageServer} of={order.orderNumber} href={paths.console(order.id)} />
  }
  if (order.serverId && (order.status === 'PAID' || order.status === 'PROCESSING')) {
    return <RowLink verb={verbs.viewProgress} of={order.orderNumber} href={paths.installProgress(order.serverId)} />
  }
  return <RowButton verb={verbs.viewDetails} of={order.orderNumber} onClick={() => acts.open(order)} />
}
