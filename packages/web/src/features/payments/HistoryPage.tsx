import * as states from '@vps/shared/states'
import * as pages from '../../page-names'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { paymentMethods, paymentStatusNames, paymentStatuses } from '@vps/shared/payments'
import type { PaymentView } from '@vps/shared/payments.contract'
import * as text from '@vps/shared/text'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { failureOf, isSilence, messageOf, statusOf } from '../../api/errors'
import { trpc, type Outputs } from '../../api/trpc'
import { paths } from '../../paths'
import { Button, ButtonLink, type ButtonProps } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { PaymentChip } from '../../ui/payment'
import { Page } from '../../ui/Page'
import { PagedTable } from '../../ui/PagedTable'
import { Empty } from '../../ui/states'
import { SummaryCards } from '../../ui/SummaryCards'
import { Mono, NameButton } from '../../ui/cells'
import type { Column } from '../../ui/column'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/toast'
import { Toolbar } from '../../ui/Toolbar'
import { isOneOf } from '../../ui/address-filters'
import { useFilters, useSort } from '../../ui/use-filters'
import { methodName } from '../../checkout/methods'
import { actionsColumn, RowButton, RowLink } from '../../ui/columns'
import { FilterSelect, StatusFilter } from '../../ui/FilterSelect'

const methodCodes = paymentMethods.map(({ code }) => code)

/** Every recharge of one's own. */
export default function HistoryPage() {
  const filters = useFilters(['q', 'status', 'method'] as const)
  const sort = useSort(['createdAt', 'money'] as const)
  const { q, status, method } = filters.values
  const payments = trpc.payments.list.useQuery(
    {
      page: filters.page,
      size: filters.size,
      sort: sort.key,
      descending: sort.descending,
      ...(q ? { search: q } : {}),
      ...(isOneOf(paymentStatuses, status) ? { status } : {}),
      ...(isOneOf(methodCodes, method) ? { type: method } : {}),
    },
    { placeholderData: (old) => old },
  )
  const summary = trpc.payments.summary.useQuery()
  const [opened, setOpened] = useState<PaymentView | null>(null)
  const check = useCheck()
  const listed = payments.data?.content.find(({ outTradeNo }) => outTradeNo === opened?.outTradeNo)
  // Paid meanwhile, say, it is none of those asked for any more.
  const alone = trpc.payments.status.useQuery(
    { outTradeNo: opened?.outTradeNo ?? '' },
    { enabled: opened !== null && !listed },
  )
  const shown = opened && (listed ?? alone.data ?? opened)

  return (
    <Page
      title={pages.payments}
      heading={`支付记录${summary.data ? ` (${summary.data.count})` : ''}`}
      refresh={{
        updatedAt: payments.dataUpdatedAt,
        busy: payments.isFetching,
        run: () => {
          void payments.refetch()
          void summary.refetch()
        },
      }}
      actions={
        <ButtonLink tone="primary" href={paths.recharge()}>
          {verbs.recharge}
        </ButtonLink>
      }
    >
      <Totals failed={summary.isError} of={summary.data} />
      <Conditions filters={filters} />
      <PagedTable
        label={pages.payments}
        columns={columnsOf(setOpened, check)}
        rowKey={(payment) => payment.outTradeNo}
        sort={sort}
        reason={loadFailure}
        read={payments}
        paging={filters}
        failed={text.paymentsLoadFailed}
        empty={<NoPayments />}
      />
      {shown && <PaymentDialog payment={shown} onCheck={check} onClose={() => setOpened(null)} />}
    </Page>
  )
}

function Totals({ failed, of }: { failed: boolean; of: Outputs['payments']['summary'] | undefined }) {
  return (
    <SummaryCards
      failed={failed}
      cards={[
        { label: '成功支付总额', value: of && <Money yuan={of.paid} /> },
        { label: states.awaitingPayment, value: of?.pending },
        { label: text.payFailed, value: of?.failed },
        { label: labels.totalCount, value: of?.count },
      ]}
    />
  )
}

function Conditions({ filters }: { filters: ReturnType<typeof useFilters<'q' | 'status' | 'method'>> }) {
  const { q, status, method } = filters.values
  return (
    <Toolbar
      search={q}
      onSearch={(q) => filters.set({ q })}
      placeholder="搜索订单号或商品名称"
      active={filters.active}
      onReset={filters.reset}
    >
      <StatusFilter
        values={paymentStatuses}
        word={(value) => paymentStatusNames[value]}
        value={status}
        onChange={(status) => filters.set({ status })}
      />
      <FilterSelect
        label={labels.paymentMethod}
        bare
        all={labels.allMethods}
        values={methodCodes}
        word={methodName}
        value={method}
        onChange={(method) => filters.set({ method })}
      />
    </Toolbar>
  )
}

function NoPayments() {
  return (
    <Empty
      icon={ReceiptText}
      title="暂无支付记录"
      action={
        <ButtonLink tone="primary" href={paths.recharge()}>
          {verbs.toRecharge}
        </ButtonLink>
      }
    >
      充值后，每一笔支付都会显示在这里。
    </Empty>
  )
}

function columnsOf(
  open: (payment: PaymentView) => void,
  check: (outTradeNo: string) => Promise<void>,
): Column<PaymentView>[] {
  return [
    {
      key: 'number',
      head: labels.orderNumber,
      phone: 'title',
      cell: (payment) => (
        <NameButton type="button" onClick={() => open(payment)}>
          <Mono>{payment.outTradeNo}</Mono>
        </NameButton>
      ),
    },
    {
      key: 'money',
      head: labels.amount,
      align: 'right',
      sortable: true,
      cell: (payment) => <Money yuan={payment.money} />,
    },
    { key: 'method', head: labels.paymentMethod, cell: (payment) => methodName(payment.type) },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (payment) => <PaymentChip status={payment.status} />,
    },
    { key: 'name', head: labels.productName, cell: (payment) => payment.name },
    {
      key: 'createdAt',
      head: labels.createdAt,
      sortable: true,
      cell: (payment) => <Time at={payment.createdAt} />,
    },
    actionsColumn((payment) => (
      <>
        {payment.status === 'PENDING' && (
          <>
            <RowLink
              verb={verbs.continuePayment}
              of={payment.outTradeNo}
              href={paths.continuePayment(payment.outTradeNo)}
            />
            {/* A label of its own would be found as the filter's 状态, too. */}
            <CheckButton tone="quiet" size="sm" check={() => check(payment.outTradeNo)}>
              刷新状态
            </CheckButton>
          </>
        )}
        <RowButton verb={verbs.viewDetails} of={payment.outTradeNo} onClick={() => open(payment)} />
      </>
    )),
  ]
}

function loadFailure(error: unknown): string {
  if (isSilence(error)) return text.serverUnreachable
  return statusOf(error) === 404 ? text.paymentsMissing : messageOf(error)
}

function useCheck() {
  const utils = trpc.useUtils()
  return async (outTradeNo: string) => {
    try {
      const payment = await utils.payments.status.fetch({ outTradeNo }, { staleTime: 0 })
      if (payment.status === 'SUCCESS') toast(text.paymentSucceeded, 'success')
      else if (payment.status === 'FAILED') toast(text.paymentFailed, 'error')
      else if (payment.status === 'CANCELLED') toast(text.paymentCancelled, 'info')
      else toast(text.paymentPending, 'info')
      await utils.payments.invalidate()
    } catch (error) {
      toast(failureOf(text.paymentQueryFailed, error), 'error')
    }
  }
}

/**
 * Asked once until it is answered: each press would be told its answer. As `ui/use-pressed`: one more page with that moves
 * it to a file of its own, for whose name the first visit of / has no room.
 */
function CheckButton({ check, ...rest }: ButtonProps & { check: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  function press() {
    setBusy(true)
    void check().finally(() => setBusy(false))
  }
  return <Button {...rest} busy={busy} onClick={press} />
}

const deviceNames: Readonly<Record<string, string>> = { pc: '电脑', mobile: '手机' }

function PaymentDialog({
  payment,
  onCheck,
  onClose,
}: {
  payment: PaymentView
  onCheck: (outTradeNo: string) => Promise<void>
  onClose: () => void
}) {
  return (
    <Dialog
      title={labels.paymentDetails}
      open
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.close}</Button>
          {payment.status === 'PENDING' && (
            <CheckButton tone="primary" check={() => onCheck(payment.outTradeNo)}>
              {verbs.checkPayment}
            </CheckButton>
          )}
        </>
      }
    >
      <Facts
        facts={[
          [labels.orderNumber, payment.outTradeNo, 'mono'],
          [labels.amount, <Money key="money" yuan={payment.money} />],
          [labels.paymentMethod, methodName(payment.type)],
          [labels.status, <PaymentChip key="status" status={payment.status} />],
          [labels.createdAt, <Time key="created" at={payment.createdAt} />],
          [labels.gatewayNumber, payment.tradeNo, 'mono'],
          [labels.finishedAt, <Time key="completed" at={payment.completedAt} />],
          [labels.productName, payment.name],
          [labels.clientIp, payment.clientIp, 'mono'],
          [labels.device, deviceNames[payment.device] ?? payment.device],
        ]}
      />
    </Dialog>
  )
}
