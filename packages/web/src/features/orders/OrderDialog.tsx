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
            {refundReason(shown) === null && <Button onClick={() => acts.refund(shown)}>{verbs.requestRefund}</Button>}
            {orderCan.upgrade(shown) && <Button onClick={() => acts.upgrade(shown)}>{verbs.upgrade}</Button>}
            {renewReason(shown) === null && <Button onClick={() => acts.renew(shown)}>{verbs.renew}</Button>}
            {orderCan.cancel(shown) && <Button onClick={() => acts.cancel(shown)}>{verbs.cancelOrder}</Button>}
            {orderCan.pay(shown) && (
              <Button tone="primary" onClick={() => acts.pay(shown)}>
                {verbs.pay}
              </Button>
            )}
            {orderCan.manage(shown) && (
              <ButtonLink tone="primary" href={paths.console(shown.id)}>
                {verbs.manageServer}
              </ButtonLink>
            )}
            {!orderCan.manage(shown) && shown.serverId && orderCan.viewProgress(shown) && (
              <ButtonLink tone="primary" href={paths.installProgress(shown.serverId)}>
                {verbs.viewProgress}
              </ButtonLink>
            )}
          </>
        )
      }
    >
      {order.isError ? (
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
        <Facts
          columns={2}
          facts={[
            [labels.orderNumber, shown.orderNumber, 'mono'],
            [labels.status, <OrderChip key="status" status={shown.status} />],
            [labels.server, shown.serverName],
            [labels.group, shown.groupName],
            [labels.plan, shown.priceGroupName],
            [labels.amount, <Money key="amount" yuan={shown.amount} />],
            [labels.specification, <Spec key="spec" order={shown} />],
            [labels.ipCount, shown.ipCount],
            [labels.system, `${shown.osName} ${shown.osVersion}`],
            [labels.ipAddress, shown.ipAddress, 'mono'],
            [labels.sshPort, shown.sshPort, 'mono'],
            [labels.username, shown.username, 'mono'],
            [
              labels.initialPassword,
              shown.initialPassword ? <Secret key="password" value={shown.initialPassword} /> : null,
            ],
            [labels.billingPeriod, periodNames[shown.billingPeriod]],
            [labels.autoRenewal, <AutoRenewalSwitch key="renewal" order={shown} />],
            [labels.createdAt, <Time key="created" at={shown.createdAt} />],
            [labels.paidAt, <Time key="paid" at={shown.paidAt} />],
            [labels.expiresAt, <Expiry key="expires" inline at={shown.expiresAt} />],
            ...(shown.suspendReason
              ? ([[labels.suspendReason, suspensionText(shown)]] as [string, string | null][])
              : []),
            ...(shown.refund ? ([[labels.refundRequest, refundText(shown.refund)]] as [string, string][]) : []),
            ...(shown.cancelReason ? ([[labels.cancelReason, shown.cancelReason]] as [string, string][]) : []),
          ]}
        />
      )}
    </Dialog>
  )
}

const refundWords = { PENDING: states.processing, APPROVED: states.approved, REJECTED: '已拒绝' }

const refundText = ({ status, decision }: NonNullable<OrderView['refund']>) =>
  decision ? `${refundWords[status]}：${decision}` : refundWords[status]

const Tall = styled.div`
  display: grid;
  gap: 18px;
`
