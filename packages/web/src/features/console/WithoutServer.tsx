import { hasEnded, orderStatusNames } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { CircleX, CreditCard, HardDriveDownload } from 'lucide-react'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Empty, Failed } from '../../ui/states'
import type { useConsole } from './use-console'
import { useOwn } from './use-own'

/** Rare, so it comes when it is needed. */
export default function WithoutServer({
  order,
  onPay,
}: {
  order: ReturnType<typeof useConsole>['order']
  onPay: () => void
}) {
  const { data } = order
  return (
    <Panel>
      {data?.status === 'PENDING' ? (
        <Unpaid order={data} onPay={onPay} />
      ) : data && hasEnded(data.status) ? (
        <Ended order={data} />
      ) : data?.serverId ? (
        <SettingUp serverId={data.serverId} />
      ) : (
        <Failed
          title={text.serverLoadFailed}
          error={order.error}
          reason="该订单没有服务器。"
          hint="请检查服务器ID是否正确。"
          onRetry={() => void order.refetch()}
        />
      )}
    </Panel>
  )
}

function SettingUp({ serverId }: { serverId: string }) {
  return (
    <Empty
      icon={HardDriveDownload}
      title="服务器正在安装"
      action={
        <ButtonLink tone="primary" href={paths.installProgress(serverId)}>
          {verbs.viewProgress}
        </ButtonLink>
      }
    >
      安装完成后在这里管理。
    </Empty>
  )
}

function Ended({ order }: { order: OrderView }) {
  const { status, activatedAt, cancelReason } = order
  const { orderHref } = useOwn(order)
  return (
    <Empty
      icon={CircleX}
      title={activatedAt ? text.serverReleased : '没有服务器'}
      action={<ButtonLink href={orderHref}>{verbs.viewOrder}</ButtonLink>}
    >
      {labels.order}
      {orderStatusNames[status]}
      {activatedAt && `，${text.serverReleased}`}。{cancelReason}
    </Empty>
  )
}

/** Nothing was paid, so nothing is wrong. */
function Unpaid({ order, onPay }: { order: OrderView; onPay: () => void }) {
  const { own } = useOwn(order)
  return (
    <Empty
      icon={CreditCard}
      title="该订单尚未支付"
      action={
        own && (
          <Button tone="primary" onClick={onPay}>
            去支付
          </Button>
        )
      }
    >
      付款后开始安装服务器，完成后在这里管理。
    </Empty>
  )
}
