import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { periodNames } from '@vps/shared/periods'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Facts } from '../../ui/Facts'
import { Expiry, ServerChips, Spec } from '../../ui/order'

/** A server's order at a glance. */
export function ServerDialog({ order, onClose }: { order: OrderView; onClose: () => void }) {
  return (
    <Dialog
      title="服务器详情"
      open
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          {orderCan.openConsole(order) && (
            <ButtonLink tone="primary" href={paths.console(order.id)}>
              管理
            </ButtonLink>
          )}
        </>
      }
    >
      <Facts
        facts={[
          ['服务器', order.serverName],
          ['订单号', order.orderNumber, 'mono'],
          ['状态', <ServerChips key="status" order={order} />],
          ['计费周期', periodNames[order.billingPeriod]],
          ['配置', <Spec key="spec" order={order} />],
          ['操作系统', `${order.osName} ${order.osVersion}`],
          ['IP地址', order.ipAddress, 'mono'],
          ['到期时间', <Expiry key="expires" inline at={order.expiresAt} />],
        ]}
      />
    </Dialog>
  )
}
