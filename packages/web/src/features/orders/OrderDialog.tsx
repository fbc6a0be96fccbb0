import { orderCan, suspensionText } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { periodNames } from '@vps/shared/periods'
import { text } from '@vps/shared/text'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { Expiry, OrderChip, Spec } from '../../ui/order'
import { Secret } from '../../ui/Secret'
import { Bar, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/Time'
import { AutoRenewalSwitch, refundReason, renewReason, type OrderActs } from './order-actions'

/** Everything about one order, with what can be done now. */
export function OrderDialog({ orderId, acts, onClose }: { orderId: string; acts: OrderActs; onClose: () => void }) {
  const order = trpc.orders.get.useQuery({ id: orderId })
  const shown = order.data

  return (
    <Dialog
      title="订单详情"
      open
      width={720}
      onClose={onClose}
      footer={
        shown && (
          <>
            {refundReason(shown) === null && <Button onClick={() => acts.refund(shown)}>申请退款</Button>}
            {orderCan.upgrade(shown) && <Button onClick={() => acts.upgrade(shown)}>升级配置</Button>}
            {renewReason(shown) === null && <Button onClick={() => acts.renew(shown)}>续费</Button>}
            {orderCan.cancel(shown) && <Button onClick={() => acts.cancel(shown)}>取消订单</Button>}
            {orderCan.pay(shown) && (
              <Button tone="primary" onClick={() => acts.pay(shown)}>
                支付
              </Button>
            )}
            {orderCan.manage(shown) && (
              <ButtonLink tone="primary" href={paths.console(shown.id)}>
                管理服务器
              </ButtonLink>
            )}
            {!orderCan.manage(shown) && shown.serverId && orderCan.viewProgress(shown) && (
              <ButtonLink tone="primary" href={paths.installProgress(shown.serverId)}>
                查看进度
              </ButtonLink>
            )}
          </>
        )
      }
    >
      {order.isError ? (
        <Failed title={text.ordersLoadFailed} error={order.error} onRetry={() => void order.refetch()} />
      ) : !shown ? (
        <Loading label="正在加载订单">
          <Tall>
            {Array.from({ length: 8 }, (_, i) => (
              <Bar key={i} $height={18} />
            ))}
          </Tall>
        </Loading>
      ) : (
        <Facts
          columns={2}
          facts={[
            ['订单号', shown.orderNumber, 'mono'],
            ['状态', <OrderChip key="status" status={shown.status} />],
            ['服务器', shown.serverName],
            ['分组', shown.groupName],
            ['套餐', shown.priceGroupName],
            ['金额', <Money key="amount" yuan={shown.amount} />],
            ['配置', <Spec key="spec" order={shown} />],
            ['IP 数量', shown.ipCount],
            ['系统', `${shown.osName} ${shown.osVersion}`],
            ['IP地址', shown.ipAddress, 'mono'],
            ['SSH端口', shown.sshPort, 'mono'],
            ['用户名', shown.username, 'mono'],
            ['初始密码', shown.initialPassword ? <Secret key="password" value={shown.initialPassword} /> : null],
            ['计费周期', periodNames[shown.billingPeriod]],
            ['自动续费', <AutoRenewalSwitch key="renewal" order={shown} />],
            ['创建时间', <Time key="created" at={shown.createdAt} />],
            ['支付时间', <Time key="paid" at={shown.paidAt} />],
            ['到期时间', <Expiry key="expires" inline at={shown.expiresAt} />],
            ...(shown.suspendReason ? ([['暂停原因', suspensionText(shown)]] as [string, string | null][]) : []),
            ...(shown.refund ? ([['退款申请', refundText(shown.refund)]] as [string, string][]) : []),
            ...(shown.cancelReason ? ([['取消原因', shown.cancelReason]] as [string, string][]) : []),
          ]}
        />
      )}
    </Dialog>
  )
}

const refundWords = { PENDING: '处理中', APPROVED: '已批准', REJECTED: '已拒绝' }

const refundText = ({ status, decision }: NonNullable<OrderView['refund']>) =>
  decision ? `${refundWords[status]}：${decision}` : refundWords[status]

const Tall = styled.div`
  display: grid;
  gap: 18px;
`
