import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { orderCan, suspensionText } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { periodNames } from '@vps/shared/periods'
import * as text from '@vps/shared/text'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { factIf, Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { endOf, Expiry, OrderChip, Spec } from '../../ui/order'
import { Secret } from '../../ui/Secret'
import { Bar, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/Time'
import { AutoRenewalSwitch } from './order-actions'
import { renewReason } from '../../checkout/renew-reason'
import { upgradeReason } from '../../checkout/upgrade-reason'
import { refundReason, type OrderActs } from './order-entries'

/** One order, with what can be done now. */
export function OrderDialog({ orderId, acts, onClose }: { orderId: string; acts: OrderActs; onClose: () => void }) {
  const order = trpc.orders.get.useQuery({ id: orderId })
  const shown = order.data

  return (
    <Dialog title="订单详情" open width={720} onClose={onClose} footer={shown && <Acts order={shown} acts={acts} />}>
      {order.isError && !shown ? (
        <Failed title={text.ordersLoadFailed} error={order.error} onRetry={() => void order.refetch()} />
      ) : !shown ? (
        <Loading label={text.orderLoading}>
          <Tall>
            {Array.from({ length: 8 }, (_, i) => (
              <Bar key={i} $height={18} />
            ))}
          </Tall>
        </Loading>
      ) : (
        <OrderFacts order={shown} />
      )}
    </Dialog>
  )
}

function Acts({ order, acts }: { order: OrderView; acts: OrderActs }) {
  return (
    <>
      {refundReason(order) === null && <Button onClick={() => acts.refund(order)}>{verbs.requestRefund}</Button>}
      {upgradeReason(order) === null && <Button onClick={() => acts.upgrade(order)}>{verbs.upgrade}</Button>}
      {renewReason(order) === null && <Button onClick={() => acts.renew(order)}>{verbs.renew}</Button>}
      {orderCan.cancel(order) && <Button onClick={() => acts.cancel(order)}>{verbs.cancelOrder}</Button>}
      {orderCan.pay(order) && (
        <Button tone="primary" onClick={() => acts.pay(order)}>
          {verbs.pay}
        </Button>
      )}
      {orderCan.manage(order) && (
        <ButtonLink tone="primary" href={paths.console(order.id)}>
          {verbs.manageServer}
        </ButtonLink>
      )}
      {!orderCan.manage(order) && order.serverId && orderCan.viewProgress(order) && (
        <ButtonLink tone="primary" href={paths.installProgress(order.serverId)}>
          {verbs.viewProgress}
        </ButtonLink>
      )}
    </>
  )
}

function OrderFacts({ order }: { order: OrderView }) {
  return (
    <Facts
      columns={2}
      facts={[
        [labels.orderNumber, order.orderNumber, 'mono'],
        [labels.status, <OrderChip key="status" status={order.status} />],
        [labels.server, order.serverName],
        [labels.group, order.groupName],
        [labels.plan, order.priceGroupName],
        [labels.amount, <Money key="amount" yuan={order.amount} />],
        [labels.specification, <Spec key="spec" order={order} />],
        [labels.ipCount, order.ipCount],
        [labels.backupCount, order.backups],
        [labels.system, `${order.osName} ${order.osVersion}`],
        [labels.ipAddress, order.ipAddress, 'mono'],
        [labels.sshPort, order.sshPort, 'mono'],
        [labels.username, order.username, 'mono'],
        [
          labels.initialPassword,
          order.initialPassword ? <Secret key="password" value={order.initialPassword} /> : null,
        ],
        [labels.billingPeriod, periodNames[order.billingPeriod]],
        [labels.autoRenewal, <AutoRenewalSwitch key="renewal" order={order} />],
        [labels.createdAt, <Time key="created" at={order.createdAt} />],
        [labels.paidAt, <Time key="paid" at={order.paidAt} />],
        [labels.expiresAt, <Expiry key="expires" inline at={endOf(order)} />],
        ...factIf(order.suspendReason, labels.suspendReason, suspensionText(order)),
        ...factIf(order.refund, labels.refundRequest, order.refund && refundText(order.refund)),
        ...factIf(order.cancelReason, labels.cancelReason, order.cancelReason),
      ]}
    />
  )
}

const refundWords = { PENDING: states.processing, APPROVED: states.approved, REJECTED: '已拒绝' }

const refundText = ({ status, decision }: NonNullable<OrderView['refund']>) =>
  decision ? `${refundWords[status]}：${decision}` : refundWords[status]

const Tall = styled.div`
  display: grid;
  gap: 18px;
`
