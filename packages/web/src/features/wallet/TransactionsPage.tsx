import * as verbs from '@vps/shared/verbs'
import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import * as pages from '../../page-names'
import { paymentMethods } from '@vps/shared/payments'
import * as text from '@vps/shared/text'
import {
  entryTypeNames,
  entryTypes,
  signedAmount,
  transactionStatuses,
  transactionStatusNames,
  type TransactionStatus,
} from '@vps/shared/wallet'
import type { TransactionView } from '@vps/shared/wallet.contract'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../../api/errors'
import { trpc, type Outputs } from '../../api/trpc'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../../ui/Button'
import { Chip, type ChipTone } from '../../ui/Chip'
import { DayRange } from '../../ui/DayRange'
import { daysIn } from '../../ui/typed-date'
import { Dialog } from '../../ui/Dialog'
import { ExportMenu } from '../../ui/ExportMenu'
import { Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { Page } from '../../ui/Page'
import { PagedTable } from '../../ui/PagedTable'
import { Empty } from '../../ui/states'
import { SummaryCards } from '../../ui/SummaryCards'
import { Mono, NameButton } from '../../ui/cells'
import type { Column } from '../../ui/column'
import { Dim, Time } from '../../ui/Time'
import { Toolbar } from '../../ui/Toolbar'
import { isOneOf } from '../../ui/address-filters'
import { useFilters, useSort } from '../../ui/use-filters'
import { actionsColumn, RowButton } from '../../ui/columns'
import { FilterSelect, StatusFilter } from '../../ui/FilterSelect'

const tones: Record<TransactionStatus, ChipTone> = {
  PENDING: 'warning',
  PROCESSING: 'info',
  COMPLETED: 'success',
  FAILED: 'error',
  CANCELLED: 'neutral',
}

/** Also recharges that never moved the balance. */
export default function TransactionsPage() {
  const filters = useFilters(['q', 'type', 'status', 'from', 'to'] as const)
  const sort = useSort(['createdAt', 'amount'] as const)
  const { q, type, status } = filters.values
  const asked = {
    page: filters.page,
    size: filters.size,
    sort: sort.key,
    descending: sort.descending,
    ...(q ? { search: q } : {}),
    ...(isOneOf(entryTypes, type) ? { type } : {}),
    ...(isOneOf(transactionStatuses, status) ? { status } : {}),
    ...daysIn(filters.values),
  }
  const transactions = trpc.wallet.page.useQuery(asked, { placeholderData: (old) => old })
  const summary = trpc.wallet.summary.useQuery()
  const [opened, setOpened] = useState<TransactionView | null>(null)
  const shown = useAsItIs(opened, transactions.data?.content)

  return (
    <Page
      title={pages.transactions}
      heading={`交易记录${summary.data ? ` (${summary.data.count})` : ''}`}
      refresh={{
        updatedAt: transactions.dataUpdatedAt,
        busy: transactions.isFetching,
        run: () => {
          void transactions.refetch()
          void summary.refetch()
        },
      }}
      actions={summary.data?.count ? <ExportMenu address="/api/transactions/export" asked={asked} /> : undefined}
    >
      <Totals failed={summary.isError} of={summary.data} />
      <Conditions filters={filters} />
      <PagedTable
        label={pages.transactions}
        columns={columnsOf(setOpened)}
        rowKey={(entry) => entry.id}
        sort={sort}
        reason={(error) => messageOf(error, text.transactionsUnreadable)}
        read={transactions}
        paging={filters}
        failed={text.transactionsLoadFailed}
        empty={<NoTransactions />}
      />
      {shown && <TransactionDialog entry={shown} onClose={() => setOpened(null)} />}
    </Page>
  )
}

/** A recharge that is credited is another entry, and what has ended is none of those that the list was asked for. */
function useAsItIs(opened: TransactionView | null, listed: TransactionView[] | undefined): TransactionView | null {
  const found = listed?.find(({ id }) => id === opened?.id)
  const { data: payment } = trpc.payments.status.useQuery(
    { outTradeNo: opened?.transactionNumber ?? '' },
    { enabled: opened?.status === 'PENDING' && !found },
  )
  if (found || !opened || opened.status !== 'PENDING' || !payment) return found ?? opened
  const status = payment.status === 'SUCCESS' ? 'COMPLETED' : payment.status
  return { ...opened, status, completedAt: payment.completedAt }
}

function Totals({ failed, of }: { failed: boolean; of: Outputs['wallet']['summary'] | undefined }) {
  const figure = (yuan: number | undefined) => (yuan === undefined ? undefined : <Money yuan={yuan} />)
  return (
    <SummaryCards
      failed={failed}
      cards={[
        { label: '总收入', value: figure(of?.income) },
        { label: '总支出', value: figure(of?.expense) },
        { label: labels.totalCount, value: of?.count },
        { label: states.pending, value: of?.pending },
      ]}
    />
  )
}

function Conditions({ filters }: { filters: ReturnType<typeof useFilters<'q' | 'type' | 'status' | 'from' | 'to'>> }) {
  const { q, type, status } = filters.values
  return (
    <Toolbar
      search={q}
      onSearch={(q) => filters.set({ q })}
      placeholder="搜索交易号、描述或订单号"
      active={filters.active}
      onReset={filters.reset}
    >
      <FilterSelect
        label={labels.kind}
        bare
        all={labels.allKinds}
        values={entryTypes}
        word={(value) => entryTypeNames[value]}
        value={type}
        onChange={(type) => filters.set({ type })}
      />
      <StatusFilter
        values={transactionStatuses}
        word={(value) => transactionStatusNames[value]}
        value={status}
        onChange={(status) => filters.set({ status })}
      />
      <DayRange bare values={filters.values} onChange={filters.set} />
    </Toolbar>
  )
}

function NoTransactions() {
  return (
    <Empty
      icon={ArrowLeftRight}
      title="暂无交易记录"
      action={
        <ButtonLink tone="primary" href={paths.recharge()}>
          {verbs.toRecharge}
        </ButtonLink>
      }
    >
      充值、支付和退款都会显示在这里。
    </Empty>
  )
}

function columnsOf(open: (entry: TransactionView) => void): Column<TransactionView>[] {
  return [
    {
      key: 'number',
      head: labels.transactionNumber,
      phone: 'title',
      cell: (entry) => (
        <NameButton type="button" onClick={() => open(entry)}>
          <Mono>{entry.transactionNumber}</Mono>
        </NameButton>
      ),
    },
    { key: 'type', head: labels.kind, cell: (entry) => entryTypeNames[entry.type] },
    {
      key: 'amount',
      head: labels.amount,
      align: 'right',
      sortable: true,
      cell: (entry) => <Money yuan={Math.abs(entry.amount)} sign={signedAmount(entry) < 0 ? '-' : '+'} />,
    },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (entry) => <Chip tone={tones[entry.status]}>{transactionStatusNames[entry.status]}</Chip>,
    },
    { key: 'balance', head: '余额变化', align: 'right', cell: (entry) => <Change entry={entry} /> },
    {
      key: 'order',
      head: labels.relatedOrder,
      cell: (entry) =>
        entry.orderId ? (
          <Link href={paths.orders(entry.orderId)}>
            <Mono>{entry.orderNumber}</Mono>
          </Link>
        ) : (
          <Dim>—</Dim>
        ),
    },
    {
      key: 'createdAt',
      head: labels.createdAt,
      sortable: true,
      cell: (entry) => <Time at={entry.createdAt} />,
    },
    actionsColumn((entry) => (
      <RowButton verb={verbs.viewDetails} of={entry.transactionNumber} onClick={() => open(entry)} />
    )),
  ]
}

function Change({ entry }: { entry: TransactionView }) {
  if (entry.balanceBefore === null || entry.balanceAfter === null) return <Dim>N/A</Dim>
  return (
    <>
      <Dim>
        <Money yuan={entry.balanceBefore} /> →{' '}
      </Dim>
      <Money yuan={entry.balanceAfter} />
    </>
  )
}

function TransactionDialog({ entry, onClose }: { entry: TransactionView; onClose: () => void }) {
  const method = paymentMethods.find(({ code }) => code === entry.paymentMethod)?.name ?? entry.paymentMethod
  const balance = (yuan: number | null) => (yuan === null ? 'N/A' : <Money yuan={yuan} />)
  return (
    <Dialog
      title="交易详情"
      open
      width={520}
      onClose={onClose}
      footer={<Button onClick={onClose}>{verbs.close}</Button>}
    >
      <Facts
        facts={[
          [labels.transactionNumber, entry.transactionNumber, 'mono'],
          [labels.kind, entryTypeNames[entry.type]],
          [
            labels.status,
            <Chip key="status" tone={tones[entry.status]}>
              {transactionStatusNames[entry.status]}
            </Chip>,
          ],
          [
            labels.amount,
            <Money key="amount" yuan={Math.abs(entry.amount)} sign={signedAmount(entry) < 0 ? '-' : '+'} />,
          ],
          ['变动前余额', balance(entry.balanceBefore)],
          ['变动后余额', balance(entry.balanceAfter)],
          [labels.description, entry.description],
          [
            labels.relatedOrder,
            entry.orderId ? (
              <Link key="order" href={paths.orders(entry.orderId)}>
                {entry.orderNumber}
              </Link>
            ) : null,
            'mono',
          ],
          [labels.paymentMethod, method],
          [labels.createdAt, <Time key="created" at={entry.createdAt} />],
          [labels.finishedAt, <Time key="completed" at={entry.completedAt} />],
        ]}
      />
    </Dialog>
  )
}
