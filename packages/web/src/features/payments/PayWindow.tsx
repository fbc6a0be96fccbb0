import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { navigate } from 'wouter/use-browser-location'
import { PaymentButtons } from '../../checkout/PaymentButtons'
import { PaymentWay } from '../../checkout/PaymentWay'
import { usePayment } from '../../checkout/use-payment'
import { paths } from '../../paths'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Bar, Failed, Loading } from '../../ui/states'

/** Stays until a started recharge ends. */
export default function PayWindow({ outTradeNo, onClose }: { outTradeNo: string; onClose: () => void }) {
  const acts = usePayment(outTradeNo, (paid) => {
    onClose()
    if (paid) navigate(paths.profile())
  })
  const { data: payment, isError, error, refetch } = acts.read

  return (
    <Dialog
      title="扫码支付"
      open
      persistent
      onClose={onClose}
      footer={
        payment ? <PaymentButtons payment={payment} acts={acts} /> : <Button onClick={onClose}>{verbs.close}</Button>
      }
    >
      {payment ? (
        <PaymentWay payment={payment} />
      ) : isError ? (
        <Failed title={text.paymentQueryFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading label={text.paymentLoading}>
          <Bar $height={220} />
        </Loading>
      )}
    </Dialog>
  )
}
