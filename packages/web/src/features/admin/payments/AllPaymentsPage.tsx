import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { keepPreviousData } from '@tanstack/react-query'
import { paymentMethods, paymentStatusNames, paymentStatuses } from '@vps/shared/payments'
import type { AnyPaymentView } from '@vps/shared/payments.contract'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { methodName } from '../../../checkout/methods'
import * as pages from '../../../page-names'
import { Mono, NameButton, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { actionsColumn, createdColumn, RowButton } from '../../../ui/columns'
import { FilterSelect } from '../../../ui/FilterSelect'
import { Money } from '../../../ui/Money'
import { PaymentChip } from '../../../ui/payment'
import { Dim } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { CustomerLink } from '../parts/links'
import { DayRange } from '../../../ui/DayRange'
import { daysIn } from '../../../ui/typed-date'
import { ListPage } from '../parts/ListPage'
import { PaymentDialog } from './PaymentDialog'
import { useCheck } from './use-check'

const methodCodes = paymentMethods.map(({ code }) => code)

/** 全部支付. */
export default function AllPaymentsPage() {
  return (
    <AdminOnly title={pages.allPayments} denied={operationsDenied}>
      <AllPayments />
    </AdminOnly>
  )
}

/** Everybody's, or one customer's. */
export function AllPayments({ user }: { user?: string }) {
  const filters = useFilters(['q', 'status', 'method', 'from', 'to'] as const)
  const { q } = filters.values
  const status = chosen(paymentStatuses, filters.values.status)
  const method = chosen(methodCodes, filters.values.method)
  const asked = {
    page: filters.page,
    size: filters.size,
    ...(q ? { search: q } : {}),
    ...(status ? { status } : {}),
    ...(method ? { type: method } : {}),
    ...daysIn(filters.values),
    ...(user ? { userId: user } : {}),
  }
  const payments = trpc.payments.all.useQuery(asked, { placeholderData: keepPreviousData })
  const [opened, setOpened] = useState<AnyPaymentView | null>(null)
  const listed = payments.data?.content.find(({ outTradeNo }) => outTradeNo === opened?.outTradeNo)
  // Paid meanwhile, say, it is none of those asked for any more.
  const alone = trpc.payments.all.useQuery(
    { page: 0, size: 1, search: opened?.outTradeNo ?? '' },
    { enabled: opened !== null && !listed },
  )
  const shown = opened && (listed ?? alone.data?.content[0] ?? opened)
  const check = useCheck()

  return (
    <ListPage
      part={user !== undefined}
      title={pages.allPayments}
      what={pages.payments}
      failed={text.paymentsLoadFailed}
      wide
      read={payments}
      filters={filters}
      exported={{ list: 'payments', asked }}
      columns={columnsOf(setOpened, check).filter(({ key }) => key !== 'owner' || !user)}
      rowKey={(payment) => payment.outTradeNo}
      empty={{ icon: ReceiptText, text: '客户充值后，每一笔支付都会显示在这里。' }}
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: '用户、订单号或第三方单号' }}
          active={filters.active}
          onReset={filters.reset}
        >
          <FilterSelect
            label={labels.status}
            all={labels.allStatuses}
            values={paymentStatuses}
            word={(value) => paymentStatusNames[value]}
            value={status ?? ''}
            onChange={(status) => filters.set({ status })}
          />
          <FilterSelect
            label={labels.paymentMethod}
            all={labels.allMethods}
            values={methodCodes}
            word={methodName}
            value={method ?? ''}
            onChange={(method) => filters.set({ method })}
          />
          <DayRange values={filters.values} onChange={filters.set} />
        </Conditions>
      }
    >
      {shown && <PaymentDialog payment={shown} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}

function columnsOf(
  open: (payment: AnyPaymentView) => void,
  check: ReturnType<typeof useCheck>,
): Column<AnyPaymentView>[] {
  return [
    {
      key: 'number',
      head: labels.orderNumber,
      phone: 'title',
      cell: (payment) => (
        <TwoLines>
          <NameButton type="button" onClick={() => open(payment)}>
            <Mono>{payment.outTradeNo}</Mono>
          </NameButton>
          {payment.tradeNo && <small title={labels.gatewayNumber}>{payment.tradeNo}</small>}
        </TwoLines>
      ),
    },
    {
      key: 'owner',
      head: labels.user,
      cell: (payment) => <CustomerLink id={payment.userId} name={payment.ownerName} />,
    },
    { key: 'status', head: labels.status, phone: 'chip', cell: (payment) => <PaymentChip status={payment.status} /> },
    { key: 'money', head: labels.amount, align: 'right', cell: (payment) => <Money yuan={payment.money} /> },
    { key: 'method', head: labels.paymentMethod, cell: (payment) => methodName(payment.type) },
    createdColumn,
    {
      key: 'checks',
      head: verbs.askGateway,
      align: 'right',
      cell: ({ checks }) => (checks === 0 ? <Dim>—</Dim> : `${checks} 次`),
    },
    actionsColumn((payment) => (
      <>
        {payment.status !== 'SUCCESS' && (
          <RowButton
            verb={verbs.askGateway}
            of={payment.outTradeNo}
            busy={check.asked === payment.outTradeNo}
            onClick={() => check.run(payment)}
          />
        )}
        <RowButton verb={verbs.viewDetails} of={payment.outTradeNo} onClick={() => open(payment)} />
      </>
    )),
  ]
}
