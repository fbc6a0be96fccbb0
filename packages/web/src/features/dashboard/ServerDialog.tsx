import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { orderCan } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { periodNames } from '@vps/shared/periods'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Facts } from '../../ui/Facts'
import { Expiry, ServerChips, Spec } from '../../ui/order'

/** A server's order at a glance. */
export default function ServerDialog({ order, onClose }: { order: OrderView; onClose: () => void }) {
  return (
    <Dialog
      title="服务器详情"
      open
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.close}</Button>
          {orderCan.openConsole(order) && (
            <ButtonLink tone="primary" href={paths.console(order.id)}>
              {verbs.manage}
            </ButtonLink>
          )}
        </>
      }
    >
      <Facts
        facts={[
          [labels.server, order.serverName],
          [labels.orderNumber, order.orderNumber, 'mono'],
          [labels.status, <ServerChips key="status" order={order} />],
          [labels.billingPeriod, periodNames[order.billingPeriod]],
          [labels.specification, <Spec key="spec" order={order} />],
          [labels.operatingSystem, `${order.osName} ${order.osVersion}`],
          [labels.ipAddress, order.ipAddress, 'mono'],
          [labels.expiresAt, <Expiry key="expires" inline at={order.expiresAt} />],
        ]}
      />
    </Dialog>
  )
}
