import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { AnyPaymentView } from '@vps/shared/payments.contract'
import { methodName } from '../../../checkout/methods'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { factIf, Facts } from '../../../ui/Facts'
import { Money } from '../../../ui/Money'
import { PaymentChip } from '../../../ui/payment'
import { Time } from '../../../ui/Time'
import { CustomerLink } from '../parts/links'
import { useCheck } from './use-check'

/** Also how often the gateway was asked. */
export function PaymentDialog({ payment, onClose }: { payment: AnyPaymentView; onClose: () => void }) {
  const check = useCheck()
  return (
    <Dialog
      title={labels.paymentDetails}
      open
      width={560}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.close}</Button>
          {payment.status !== 'SUCCESS' && (
            <Button tone="primary" busy={check.isPending} onClick={() => check.run(payment)}>
              {verbs.askGateway}
            </Button>
          )}
        </>
      }
    >
      <Facts
        facts={[
          [labels.user, <CustomerLink key="user" id={payment.userId} name={payment.ownerName} />],
          [labels.amount, <Money key="money" yuan={payment.money} />],
          [labels.status, <PaymentChip key="status" status={payment.status} />],
          [labels.paymentMethod, methodName(payment.type)],
          [labels.orderNumber, payment.outTradeNo, 'mono'],
          [labels.gatewayNumber, payment.tradeNo, 'mono'],
          ...factIf(payment.merchant, labels.merchant, payment.merchant),
          [labels.productName, payment.name],
          [labels.createdAt, <Time key="created" at={payment.createdAt} />],
          [labels.finishedAt, <Time key="completed" at={payment.completedAt} />],
          [labels.clientIp, payment.clientIp, 'mono'],
          ['已查询网关', `${payment.checks} 次`],
          ...factIf(payment.nextCheckAt, '下次自动查询', <Time key="next" at={payment.nextCheckAt} />),
          ...factIf(payment.failure, labels.error, payment.failure),
        ]}
      />
    </Dialog>
  )
}
