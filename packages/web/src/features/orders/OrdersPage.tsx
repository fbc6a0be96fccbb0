import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { orderCan, orderStatuses, orderStatusNames } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { periodNames, periods } from '@vps/shared/periods'
import * as text from '@vps/shared/text'
import { ClipboardList, Ellipsis } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { Button, ButtonLink, IconButton } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { Money } from '../../ui/Money'
import { Expiry, OrderChip } from '../../ui/order'
import { Page } from '../../ui/Page'
import { PagedTable } from '../../ui/PagedTable'
import { options, Select } from '../../ui/Select'
import { Empty } from '../../ui/states'
import { Mono, NameButton, RowActions, TwoLines, type Column } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { Toolbar } from '../../ui/Toolbar'
import { isOneOf, useFilters } from '../../ui/use-filters'
import { AutoRenewalSwitch, CancelConfirm, orderEntries, type OrderActs } from './order-actions'
import { OrderDialog } from './OrderDialog'
import { RefundDialog } from './RefundDialog'
import { RenewConfirm } from './RenewConfirm'

const PayDialog = lazy(() => import('../../checkout/PayDialog'))
const UpgradeDialog = lazy(() => import('./UpgradeDialog'))

/** The signed-in person's orders; `?orderId=` opens one. */
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
    // The old rows stay while the next page is on its way.
    { placeholderData: (old) => old },
  )
  const page = orders.data
  const [params, setParams] = useSearchParams()
  const [paying, setPaying] = useState<string | null>(null)
  const [cancelling, setCancelling] = useState<OrderView | null>(null)
  const [renewing, setRenewing] = useState<OrderView | null>(null)
  const [upgrading, setUpgrading] = useState<OrderView | null>(null)
  const [refunding, setRefunding] = useState<OrderView | null>(null)
  const opened = params.get('orderId')

  function show(orderId: string | null) {
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        if (orderId) next.set('orderId', orderId)
        else next.delete('orderId')
        return next
      },
      { replace: true },
    )
  }

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
      heading={`订单${page ? ` (${page.totalElements})` : ''}`}
      refresh={{ updatedAt: orders.dataUpdatedAt, busy: orders.isFetching, run: () => void orders.refetch() }}
      actions={
        <ButtonLink tone="primary" href={paths.sales()}>
          选购服务器
        </ButtonLink>
      }
    >
      <Toolbar
        search={q}
        onSearch={(q) => filters.set({ q })}
        placeholder="搜索订单号、服务器或系统"
        active={filters.active}
        onReset={filters.reset}
      >
        <Select
          label={labels.status}
          bare
          value={status}
          onChange={(status) => filters.set({ status })}
          options={options([
            ['', labels.allStatuses],
            ...orderStatuses.map((value) => [value, orderStatusNames[value]] as const),
          ])}
        />
        <Select
          label={labels.billingPeriod}
          bare
          value={period}
          onChange={(period) => filters.set({ period })}
          options={options([['', labels.allPeriods], ...periods.map((value) => [value, periodNames[value]] as const)])}
        />
      </Toolbar>
      <PagedTable
        label={labels.order}
        columns={columnsOf(acts)}
        rowKey={(order) => order.id}
        read={orders}
        paging={filters}
        failed={text.ordersLoadFailed}
        empty={
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
        }
      />
      {opened && <OrderDialog orderId={opened} acts={acts} onClose={() => show(null)} />}
      {cancelling && <CancelConfirm order={cancelling} onClose={() => setCancelling(null)} />}
      {renewing && <RenewConfirm order={renewing} onClose={() => setRenewing(null)} />}
      {refunding && <RefundDialog order={refunding} onClose={() => setRefunding(null)} />}
      {upgrading && (
        <Suspense fallback={null}>
          <UpgradeDialog order={upgrading} onClose={() => setUpgrading(null)} />
        </Suspense>
      )}
      {paying && (
        <Suspense fallback={null}>
          <PayDialog orderId={paying} onClose={() => setPaying(null)} />
        </Suspense>
      )}
    </Page>
  )
}

function columnsOf(acts: OrderActs): Column<OrderView>[] {
  return [
    {
      key: 'order',
      head: labels.orderNumber,
      phone: 'title',
      cell: (order) => (
        <TwoLines>
          <NameButton type="button" onClick={() => acts.open(order)}>
            <Mono>{order.orderNumber}</Mono>
          </NameButton>
          <small title={order.serverName}>{order.serverName}</small>
        </TwoLines>
      ),
    },
    { key: 'status', head: labels.status, phone: 'chip', cell: (order) => <OrderChip status={order.status} /> },
    {
      key: 'amount',
      head: labels.amount,
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
      head: labels.specification,
      cell: (order) => (
        <TwoLines>
          <span>
            {order.cpuCores} {labels.cores} {order.memoryGb} GB
          </span>
          <small>
            {order.storageGb} GB · {order.bandwidthMbps} Mbps
          </small>
        </TwoLines>
      ),
    },
    { key: 'created', head: labels.createdAt, cell: (order) => <Time at={order.createdAt} /> },
    { key: 'expires', head: labels.expiresAt, cell: (order) => <Expiry at={order.expiresAt} /> },
    { key: 'renewal', head: labels.autoRenewal, cell: (order) => <AutoRenewalSwitch order={order} /> },
    {
      key: 'actions',
      head: labels.actions,
      align: 'right',
      phone: 'actions',
      cell: (order) => (
        <RowActions>
          <MainAction order={order} acts={acts} />
          <Menu
            label={`订单 ${order.orderNumber} 的操作`}
            trigger={
              <IconButton label={`订单 ${order.orderNumber} 的更多操作`} size="sm">
                <Ellipsis size={18} strokeWidth={1.75} />
              </IconButton>
            }
            entries={orderEntries(order, acts)}
          />
        </RowActions>
      ),
    },
  ]
}

/** The act that an order's state calls for. */
function MainAction({ order, acts }: { order: OrderView; acts: OrderActs }) {
  if (orderCan.pay(order)) {
    return (
      <Button tone="quiet" size="sm" onClick={() => acts.pay(order)}>
        {verbs.pay}
      </Button>
    )
  }
  if (orderCan.manage(order)) {
    return (
      <ButtonLink tone="quiet" size="sm" href={paths.console(order.id)}>
        {verbs.manageServer}
      </ButtonLink>
    )
  }
  if (order.serverId && (order.status === 'PAID' || order.status === 'PROCESSING')) {
    return (
      <ButtonLink tone="quiet" size="sm" href={paths.installProgress(order.serverId)}>
        {verbs.viewProgress}
      </ButtonLink>
    )
  }
  return (
    <Button tone="quiet" size="sm" onClick={() => acts.open(order)}>
      {verbs.viewDetails}
    </Button>
  )
}
