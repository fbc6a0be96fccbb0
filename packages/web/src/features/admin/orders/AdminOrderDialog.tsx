import { suspensionText } from '@vps/shared/orders'
import { periodNames } from '@vps/shared/periods'
import { paths } from '../../../paths'
import { Button, ButtonLink } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { Facts } from '../../../ui/Facts'
import { Money } from '../../../ui/Money'
import { OrderChip } from '../../../ui/order'
import { Time } from '../../../ui/Time'
import type { AnyOrder } from '../parts/rows'

/** Everything about an order but its password, which only the console shows. */
export function AdminOrderDialog({ order, onClose }: { order: AnyOrder; onClose: () => void }) {
  const running = order.status === 'ACTIVE' || order.status === 'SUSPENDED'
  return (
    <Dialog
      title={`订单 ${order.orderNumber}`}
      open
      width={720}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          {running && (
            <ButtonLink tone="primary" href={paths.console(order.id)}>
              管理服务器
            </ButtonLink>
          )}
        </>
      }
    >
      <Facts
        columns={2}
        facts={[
          ['用户', order.ownerName],
          ['状态', <OrderChip key="status" status={order.status} />],
          ['金额', <Money key="amount" yuan={order.amount} />],
          ['计费周期', periodNames[order.billingPeriod]],
          ['自动续费', order.autoRenewal ? '已开启' : '已关闭'],
          ['暂停原因', suspensionText(order)],
          ['取消原因', order.cancelReason],
          ['退款申请', order.refund && `${refundWords[order.refund.status]}：${order.refund.reason}`],
          ['服务器', order.serverName],
          ['分组', order.groupName],
          ['价格组', order.priceGroupName],
          [
            '配置',
            `${order.cpuCores} 核 ${order.memoryGb} GB · ${order.storageGb} GB · ${order.bandwidthMbps} Mbps · ${order.ipCount} 个 IP`,
          ],
          ['系统', `${order.osName} ${order.osVersion}`],
          ['IP地址', order.ipAddress, 'mono'],
          ['创建时间', <Time key="created" at={order.createdAt} />],
          ['支付时间', <Time key="paid" at={order.paidAt} />],
          ['开通时间', <Time key="active" at={order.activatedAt} />],
          ['到期时间', <Time key="expires" at={order.expiresAt} />],
        ]}
      />
    </Dialog>
  )
}

const refundWords = { PENDING: '待处理', APPROVED: '已批准', REJECTED: '已驳回' }
