import * as verbs from '@vps/shared/verbs'
import type { PaymentView } from '@vps/shared/payments.contract'
import { Button } from '../ui/Button'
import { usePhone } from '../theme/use-media'
import type { usePayment } from './use-payment'

/** What can be done with a waiting payment. */
export function PaymentButtons({
  payment,
  acts: { check, checking, giveUp, cancelling },
}: {
  payment: PaymentView
  acts: ReturnType<typeof usePayment>
}) {
  // A phone cannot scan itself.
  const scans = payment.qrCode !== null && !usePhone()
  return (
    <>
      <Button busy={cancelling} onClick={() => giveUp(payment.outTradeNo)}>
        {verbs.cancelPayment}
      </Button>
      <Button tone={scans ? 'primary' : 'plain'} busy={checking} onClick={() => void check()}>
        {verbs.checkPayment}
      </Button>
    </>
  )
}
