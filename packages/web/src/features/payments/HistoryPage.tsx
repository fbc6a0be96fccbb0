import { paymentMethods, paymentStatusNames, paymentStatuses, type PaymentStatus } from '@vps/shared/payments'
import type { PaymentView } from '@vps/shared/payments.contract'
import { text } from '@vps/shared/text'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { failureOf, isSilence, messageOf, statusOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../../ui/Button'
import { Chip, type ChipTone } from '../../ui/Chip'
import { Dialog } from '../../ui/Dialog'
import { Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { Page } from '../../ui/Page'
import { PagedTable } from '../../ui/PagedTable'
import { options, Select } from '../../ui/Select'
import { Empty } from '../../ui/states'
import { SummaryCards } from '../../ui/SummaryCards'
import { Mono, NameButton, RowActions, type Column } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/toast'
import { Toolbar } from '../../ui/Toolbar'
import { isOneOf, useFilters, useSort } from '../../ui/use-filters'
import { methodName } from './methods'

const tones: Record<PaymentStatus, ChipTone> = {
  PENDING: 'warning',
  SUCCESS: 'success',
  FAILED: 'error',
  CANCELLED: 'neutral',
}

const methodCodes = paymentMethods.map(({ code }) => code)

/** Every recharge of the signed-in person. */
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
    // The old rows stay while the next page is on its way.
    { placeholderData: (old) => old },
  )
  const summary = trpc.payments.summary.useQuery()
  const [opened, setOpened] = useState<string | null>(null)
  const check = useCheck()
  const page = payments.data

  const columns: Column<PaymentView>[] = [
    {
      key: 'number',
      head: '订单号',
      phone: 'title',
      cell: (payment) => (
        <NameButton type="button" onClick={() => setOpened(payment.outTradeNo)}>
          <Mono>{payment.outTradeNo}</Mono>
        </NameButton>
      ),
    },
    {
      key: 'money',
      head: '金额',
      align: 'right',
      sortable: true,
      cell: (payment) => <Money yuan={payment.money} />,
    },
    { key: 'method', head: '支付方式', cell: (payment) => methodName(payment.type) },
    {
      key: 'status',
      head: '状态',
      phone: 'chip',
      cell: (payment) => <Chip tone={tones[payment.status]}>{paymentStatusNames[payment.status]}</Chip>,
    },
    { key: 'name', head: '商品名称', cell: (payment) => payment.name },
    {
      key: 'createdAt',
      head: '创建时间',
      sortable: true,
      cell: (payment) => <Time at={payment.createdAt} />,
    },
    {
      key: 'actions',
      head: '操作',
      align: 'right',
      phone: 'actions',
      cell: (payment) => (
        <RowActions>
          {payment.status === 'PENDING' && (
            <Button tone="quiet" size="sm" onClick={() => void check(payment.outTradeNo)}>
              刷新状态
            </Button>
          )}
          <Button tone="quiet" size="sm" onClick={() => setOpened(payment.outTradeNo)}>
            查看详情
          </Button>
        </RowActions>
      ),
    },
  ]

  return (
    <Page
      title="支付记录"
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
          充值
        </ButtonLink>
      }
    >
      <SummaryCards
        failed={summary.isError}
        cards={[
          { label: '成功支付总额', value: summary.data && <Money yuan={summary.data.paid} /> },
          { label: '待支付', value: summary.data?.pending },
          { label: '支付失败', value: summary.data?.failed },
          { label: '总笔数', value: summary.data?.count },
        ]}
      />
      <Toolbar
        search={q}
        onSearch={(q) => filters.set({ q })}
        placeholder="搜索订单号或商品名称"
        active={filters.active}
        onReset={filters.reset}
      >
        <Select
          label="状态"
          bare
          value={status}
          onChange={(status) => filters.set({ status })}
          options={options([
            ['', '全部状态'],
            ...paymentStatuses.map((value) => [value, paymentStatusNames[value]] as const),
          ])}
        />
        <Select
          label="支付方式"
          bare
          value={method}
          onChange={(method) => filters.set({ method })}
          options={options([['', '全部支付方式'], ...paymentMethods.map(({ code, name }) => [code, name] as const)])}
        />
      </Toolbar>
      <PagedTable
        label="支付记录"
        columns={columns}
        rowKey={(payment) => payment.outTradeNo}
        sort={sort}
        reason={loadFailure}
        read={payments}
        paging={filters}
        failed={text.paymentsLoadFailed}
        empty={
          <Empty
            icon={ReceiptText}
            title="暂无支付记录"
            action={
              <ButtonLink tone="primary" href={paths.recharge()}>
                去充值
              </ButtonLink>
            }
          >
            充值后，每一笔支付都会显示在这里。
          </Empty>
        }
      />
      {opened && (
        <PaymentDialog
          payment={page?.content.find((payment) => payment.outTradeNo === opened)}
          onCheck={check}
          onClose={() => setOpened(null)}
        />
      )}
    </Page>
  )
}

/** The specification gives this screen words of its own for no answer and for a missing path. */
function loadFailure(error: unknown): string {
  if (isSilence(error)) return text.paymentsUnreachable
  return statusOf(error) === 404 ? text.paymentsMissing : messageOf(error)
}

/** Asks the gateway about one payment and says what it answered. */
function useCheck() {
  const utils = trpc.useUtils()
  return async (outTradeNo: string) => {
    try {
      const payment = await utils.payments.status.fetch({ outTradeNo }, { staleTime: 0 })
      if (payment.status === 'SUCCESS') toast(text.paymentSucceeded, 'success')
      else if (payment.status === 'FAILED') toast(text.paymentFailed, 'error')
      else toast(text.paymentPending, 'info')
      await utils.payments.invalidate()
    } catch (error) {
      toast(failureOf(text.paymentQueryFailed, error), 'error')
    }
  }
}

function PaymentDialog({
  payment,
  onCheck,
  onClose,
}: {
  payment: PaymentView | undefined
  onCheck: (outTradeNo: string) => Promise<void>
  onClose: () => void
}) {
  if (!payment) return null
  return (
    <Dialog
      title="支付详情"
      open
      width={520}
      onClose={onClose}
      footer={
        <>
          {payment.status === 'PENDING' && (
            <Button tone="primary" onClick={() => void onCheck(payment.outTradeNo)}>
              检查支付状态
            </Button>
          )}
          <Button onClick={onClose}>关闭</Button>
        </>
      }
    >
      <Facts
        facts={[
          ['订单号', payment.outTradeNo, 'mono'],
          ['金额', <Money key="money" yuan={payment.money} />],
          ['支付方式', methodName(payment.type)],
          [
            '状态',
            <Chip key="status" tone={tones[payment.status]}>
              {paymentStatusNames[payment.status]}
            </Chip>,
          ],
          ['创建时间', <Time key="created" at={payment.createdAt} />],
          ['第三方单号', payment.tradeNo, 'mono'],
          ['完成时间', <Time key="completed" at={payment.completedAt} />],
          ['商品名称', payment.name],
          ['客户端 IP', payment.clientIp, 'mono'],
          ['设备', payment.device],
        ]}
      />
    </Dialog>
  )
}
