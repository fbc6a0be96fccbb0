import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { formatYuan, sumFen, yuan } from '@vps/shared/money'
import type { LostOrder } from '@vps/shared/orders.contract'
import { useState } from 'react'
import styled from 'styled-components'
import { messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import type { Column } from '../../../ui/column'
import { actionsColumn, orderStatusColumn, RowButton } from '../../../ui/columns'
import { Facts } from '../../../ui/Facts'
import { ManyDialog } from '../../../ui/ManyDialog'
import { Money } from '../../../ui/Money'
import { Failed } from '../../../ui/states'
import { Table } from '../../../ui/Table'
import { ReasonButton } from '../../../ui/Tip'
import { Time } from '../../../ui/Time'
import { rereadOperations } from '../parts/reread'
import { placedColumns } from './placed-columns'

const waiting = '等待处理的订单'
const rebuild = '重建'

type Act = 'evacuate' | 'refund'
interface Asked {
  act: Act
  orders: readonly LostOrder[]
}

/** What waits for an operator on a host that was declared lost. */
export default function LostOrders({ host }: { host: string }) {
  const read = trpc.lostOrders.list.useQuery({ hostId: host })
  const [asked, setAsked] = useState<Asked | null>(null)
  const orders = read.data ?? []
  const all = (act: Act) => setAsked({ act, orders })
  // What is done leaves the list, and stays in the dialog. A press sends what was read before it.
  const chosen = asked?.orders.map((one) => orders.find(({ id }) => id === one.id) ?? one) ?? []
  if (read.isSuccess && orders.length === 0 && !asked) return null
  return (
    <Whole
      title={waiting}
      note="不再收费，也不会自行结束"
      actions={
        orders.length > 1 && (
          <>
            <Button size="sm" onClick={() => all('refund')}>
              {labels.all}
              {verbs.refund}
            </Button>
            <Button size="sm" tone="primary" onClick={() => all('evacuate')}>
              {labels.all}
              {rebuild}
            </Button>
          </>
        )
      }
    >
      {read.isError && !read.data ? (
        <Failed title={text.ordersLoadFailed} error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Table label={waiting} columns={columnsOf(setAsked)} rows={read.data} rowKey={({ id }) => id} />
      )}
      {asked?.act === 'evacuate' && <Evacuate orders={chosen} onClose={() => setAsked(null)} />}
      {asked?.act === 'refund' && <Refund orders={chosen} onClose={() => setAsked(null)} />}
    </Whole>
  )
}

const Whole = styled(Card)`
  grid-column: 1 / -1;
`

function columnsOf(ask: (asked: Asked) => void): Column<LostOrder>[] {
  return [
    ...placedColumns,
    orderStatusColumn,
    { key: 'ends', head: labels.expiresAt, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    { key: 'backups', head: labels.backups, align: 'right', cell: ({ backups }) => backups },
    { key: 'refund', head: '可退', align: 'right', cell: ({ refund }) => <Money yuan={refund} /> },
    actionsColumn((order) => (
      <>
        <ReasonButton
          tone="quiet"
          size="sm"
          aria-label={`${rebuild} ${order.serverName}`}
          reason={order.stays}
          onClick={() => ask({ act: 'evacuate', orders: [order] })}
        >
          {rebuild}
        </ReasonButton>
        <RowButton verb={verbs.refund} of={order.serverName} onClick={() => ask({ act: 'refund', orders: [order] })} />
      </>
    )),
  ]
}

interface ManyProps {
  orders: readonly LostOrder[]
  onClose: () => void
}

function Evacuate({ orders, onClose }: ManyProps) {
  const utils = trpc.useUtils()
  const [evacuate] = useKeyed(
    trpc.lostOrders.evacuate.useMutation({ onError: () => void rereadOperations(utils) }).mutateAsync,
  )
  return (
    <ManyDialog
      danger
      title={verbs.evacuate}
      confirmLabel={`确认${rebuild}`}
      orders={orders}
      reasonOf={({ stays }) => stays}
      detailOf={(order) => `${creditText(order)}${backupsText(order)}`}
      act={async ({ id }) => {
        await evacuate({ id })
        return '已开始重建'
      }}
      messageOf={messageOf}
      onDone={() => void rereadOperations(utils)}
      onClose={onClose}
    >
      <p>
        在同一分组的其他宿主机上重新安装系统；订单、到期时间、登录密码、防火墙和备份不变，IP
        地址在新宿主机可用时保留。原有数据和快照无法找回，客户会收到邮件。宿主机失去联系之后的费用按时间退回客户余额；已到期等待续费的订单从现在起续费一个周期，由客户余额支付。
      </p>
      <p>请先确认这台宿主机已断电或断网：若其上的虚拟机仍在运行，会有两台机器使用同一地址。</p>
    </ManyDialog>
  )
}

/** It grows until it is done. */
const creditText = ({ credit }: LostOrder) => (credit > 0 ? `约退 ${formatYuan(yuan.decode(credit))}，` : '')

const backupsText = ({ backups }: LostOrder) => (backups > 0 ? `有 ${backups} 个备份可恢复` : '没有备份')

function Refund({ orders, onClose }: ManyProps) {
  const utils = trpc.useUtils()
  const [refund] = useKeyed(
    trpc.lostOrders.refund.useMutation({ onError: () => void rereadOperations(utils) }).mutateAsync,
  )
  const sum = sumFen(orders.map((order) => yuan.decode(order.refund)))
  return (
    <ManyDialog
      danger
      title="退款并结束订单"
      confirmLabel={`确认${verbs.refund}`}
      orders={orders}
      reasonOf={() => null}
      detailOf={({ refund: amount }) => formatYuan(yuan.decode(amount))}
      act={async ({ id, refund: amount }) => {
        await refund({ id, amount })
        return `已退 ${formatYuan(yuan.decode(amount))}`
      }}
      messageOf={messageOf}
      onDone={() => void rereadOperations(utils)}
      onClose={onClose}
    >
      <p>退回宿主机失去联系之后未用的时间，款项回到客户的钱包余额；订单随即结束，不能恢复，客户会收到邮件。</p>
      <Facts facts={[[`${orders.length} 台合计`, <Money key="sum" yuan={yuan.encode(sum)} />]]} />
    </ManyDialog>
  )
}
