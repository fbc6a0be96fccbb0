import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import { keepPreviousData } from '@tanstack/react-query'
import { orderStatusNames, refundStatusNames } from '@vps/shared/orders'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { trpc, type Inputs, type Outputs } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { paths } from '../../../paths'
import { Chip } from '../../../ui/Chip'
import { Money } from '../../../ui/Money'
import { Mono, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { ReasonButton } from '../../../ui/Tip'
import { dateTimeText, Dim, Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { CustomerLink } from '../parts/links'
import { ListPage } from '../parts/ListPage'
import { ReasonDialog } from '../parts/ReasonDialog'
import { rereadOperations } from '../parts/reread'
import { actionsColumn } from '../../../ui/columns'
import { FilterSelect } from '../../../ui/FilterSelect'

type Refund = Outputs['refunds']['list']['content'][number]
type Asked = Inputs['refunds']['list']
type Decision = { refund: Refund; approve: boolean }

const statuses = ['PENDING', 'APPROVED', 'REJECTED'] as const
const tones = { PENDING: 'warning', APPROVED: 'success', REJECTED: 'neutral' } as const

/** 退款申请. */
export default function RefundsPage() {
  return (
    <AdminOnly title={labels.refundRequest} denied={operationsDenied}>
      <Refunds />
    </AdminOnly>
  )
}

function Refunds() {
  const filters = useFilters(['status'] as const)
  const status = chosen(statuses, filters.values.status)
  const asked = { page: filters.page, size: filters.size, ...(status ? { status } : {}) }
  const refunds = trpc.refunds.list.useQuery(asked, { placeholderData: keepPreviousData })
  const [decided, setDecided] = useState<Decision | null>(null)
  return (
    <ListPage
      title={labels.refundRequest}
      what={labels.refundRequest}
      wide
      read={refunds}
      filters={filters}
      exported={{ list: 'refunds', asked }}
      columns={columnsOf(setDecided)}
      rowKey={(refund) => refund.id}
      empty={{ icon: Undo2, text: '客户在开通后 7 天内申请退款，申请会显示在这里。' }}
      conditions={
        <Conditions active={filters.active} onReset={filters.reset}>
          <FilterSelect
            label={labels.status}
            all={labels.allStatuses}
            values={statuses}
            word={(value) => refundStatusNames[value]}
            value={status ?? ''}
            onChange={(status) => filters.set({ status })}
          />
        </Conditions>
      }
    >
      {decided && <DecisionDialog decision={decided} asked={asked} onClose={() => setDecided(null)} />}
    </ListPage>
  )
}

function DecisionDialog({ decision, asked, onClose }: { decision: Decision; asked: Asked; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { approve } = decision
  const [refund, setRefund] = useState(decision.refund)
  const [approveRefund] = useKeyed(trpc.refunds.approve.useMutation().mutateAsync)
  const [rejectRefund] = useKeyed(trpc.refunds.reject.useMutation().mutateAsync)
  return (
    <ReasonDialog
      title={approve ? verbs.approveRefund : verbs.rejectRefund}
      confirmLabel={approve ? '确认批准' : '确认驳回'}
      danger={approve}
      label={labels.decisionNote}
      help="客户会看到这段说明"
      maxLength={500}
      done={approve ? '退款已批准' : '退款已驳回'}
      onClose={onClose}
      run={async (reason) => {
        const decision = { id: refund.id, reason }
        try {
          await (approve ? approveRefund({ ...decision, amount: refund.returns ?? 0 }) : rejectRefund(decision))
        } catch (error) {
          // Only now: never another sum than was read before the press.
          void rereadOperations(utils).then(() => {
            const fresh = utils.refunds.list.getData(asked)?.content.find(({ id }) => id === refund.id)
            if (fresh?.status === 'PENDING') setRefund(fresh)
          })
          throw error
        }
        await rereadOperations(utils)
      }}
    >
      <p>
        {labels.order} <b>{refund.orderNumber}</b>，{labels.user} {refund.username}，申请原因：{refund.reason}
      </p>
      {approve ? (
        <p>
          首个周期、其中的升级和尚未开始的续费（共 <Money yuan={refund.returns ?? 0} />
          ）退回客户余额{refund.orderStatus === 'EXPIRED' ? '。' : '；订单取消，服务器和其中的数据被删除，不能恢复。'}
        </p>
      ) : (
        <p>
          {refund.orderStatus === 'SUSPENDED'
            ? '若因到期而暂停且开启了自动续费，余额足够时会立即续费并恢复。'
            : '订单和服务器保持不变。'}
        </p>
      )}
    </ReasonDialog>
  )
}

function columnsOf(decide: (decision: Decision) => void): Column<Refund>[] {
  return [
    {
      key: 'order',
      head: labels.orderNumber,
      phone: 'title',
      cell: (refund) => (
        <TwoLines>
          <Link href={paths.allOrders({ q: refund.orderNumber })}>
            <Mono>{refund.orderNumber}</Mono>
          </Link>
          <small>
            {labels.order}
            {orderStatusNames[refund.orderStatus]}
          </small>
        </TwoLines>
      ),
    },
    { key: 'user', head: labels.user, cell: (refund) => <CustomerLink id={refund.userId} name={refund.username} /> },
    { key: 'reason', head: '申请原因', cell: (refund) => refund.reason },
    { key: 'paid', head: labels.paidSoFar, align: 'right', cell: (refund) => <Money yuan={refund.paid} /> },
    {
      key: 'refunded',
      head: states.refunded,
      align: 'right',
      cell: (refund) => (refund.refunded === null ? <Dim>—</Dim> : <Money yuan={refund.refunded} />),
    },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (refund) => <Chip tone={tones[refund.status]}>{refundStatusNames[refund.status]}</Chip>,
    },
    { key: 'created', head: '申请时间', cell: (refund) => <Time at={refund.createdAt} /> },
    {
      key: 'decision',
      head: verbs.handle,
      cell: (refund) =>
        refund.decidedAt ? (
          <Decided>
            <span>{refund.decision}</span>
            <small>
              {refund.decidedBy} · {dateTimeText(refund.decidedAt)}
            </small>
          </Decided>
        ) : (
          <Dim>—</Dim>
        ),
    },
    actionsColumn((refund) => <Decide refund={refund} decide={decide} />),
  ]
}

function Decide({ refund, decide }: { refund: Refund; decide: (decision: Decision) => void }) {
  const reason = refund.status === 'PENDING' ? null : text.refundHandled
  const button = (word: string, approve: boolean) => (
    <ReasonButton
      tone="quiet"
      size="sm"
      reason={reason}
      aria-label={`${word} ${refund.orderNumber}`}
      onClick={() => decide({ refund, approve })}
    >
      {word}
    </ReasonButton>
  )
  return (
    <>
      {button('批准', true)}
      {button('驳回', false)}
    </>
  )
}

/* Who and when, whole: in half a narrow phone that is more than two lines. */
const Decided = styled(TwoLines)`
  > small {
    -webkit-line-clamp: none;
  }
`
