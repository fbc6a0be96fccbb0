import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { suspensionText } from '@vps/shared/orders'
import { periodNames } from '@vps/shared/periods'
import { paths } from '../../../paths'
import { Button, ButtonLink } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { Facts } from '../../../ui/Facts'
import { Money } from '../../../ui/Money'
import { OrderChip } from '../../../ui/order'
import { Time } from '../../../ui/Time'
import { CustomerLink } from '../parts/links'
import type { AnyOrder } from '../parts/rows'

/** Only the console shows the password. */
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
          <Button onClick={onClose}>{verbs.close}</Button>
          {running && (
            <ButtonLink tone="primary" href={paths.console(order.id)}>
              {verbs.manageServer}
            </ButtonLink>
          )}
        </>
      }
    >
      <Facts
        columns={2}
        facts={[
          [labels.user, <CustomerLink key="user" id={order.userId} name={order.ownerName} />],
          [labels.status, <OrderChip key="status" status={order.status} />],
          [labels.amount, <Money key="amount" yuan={order.amount} />],
          [labels.billingPeriod, periodNames[order.billingPeriod]],
          [labels.autoRenewal, order.autoRenewal ? states.switchedOn : '已关闭'],
          [labels.suspendReason, suspensionText(order)],
          [labels.cancelReason, order.cancelReason],
          [labels.refundRequest, order.refund && `${refundWords[order.refund.status]}：${order.refund.reason}`],
          [labels.server, order.serverName],
          [labels.group, order.groupName],
          [labels.priceGroup, order.priceGroupName],
          [
            labels.specification,
            `${order.cpuCores} 核 ${order.memoryGb} GB · ${order.storageGb} GB · ${order.bandwidthMbps} Mbps · ${order.ipCount} 个 IP`,
          ],
          [labels.system, `${order.osName} ${order.osVersion}`],
          [labels.ipAddress, order.ipAddress, 'mono'],
          [labels.createdAt, <Time key="created" at={order.createdAt} />],
          [labels.paidAt, <Time key="paid" at={order.paidAt} />],
          ['开通时间', <Time key="active" at={order.activatedAt} />],
          [labels.expiresAt, <Time key="expires" at={order.expiresAt} />],
        ]}
      />
    </Dialog>
  )
}

const refundWords = { PENDING: states.pending, APPROVED: states.approved, REJECTED: states.rejected }
