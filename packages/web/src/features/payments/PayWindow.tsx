import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { ExternalLink } from 'lucide-react'
import { useEffect, useRef } from 'react'
import styled from 'styled-components'
import { navigate } from 'wouter/use-browser-location'
import { failureOf, messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font, radius } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Facts } from '../../ui/Facts'
import { Money } from '../../ui/Money'
import { Qr } from '../../ui/Qr'
import { toast } from '../../ui/toast'
import { methodName } from './methods'
import type { StartedPayment } from './recharge'
import type { PaymentStatus } from '@vps/shared/payments'

/** In case a pushed result was lost. */
const fallbackLookMs = 10_000

/** The persistent dialog of a started recharge. */
export default function PayWindow({ started, onClose }: { started: StartedPayment; onClose: () => void }) {
  const { reply, money, method } = started
  const { outTradeNo, qrCode } = reply
  const cancel = trpc.payments.cancel.useMutation()
  const payment = trpc.payments.status.useQuery(
    { outTradeNo },
    {
      refetchInterval: (query) =>
        query.state.data?.status === 'PENDING' || !query.state.data ? fallbackLookMs : false,
    },
  )
  useSettled(payment.data?.status, onClose)

  async function check() {
    const { data, error } = await payment.refetch()
    if (error) toast(failureOf(text.paymentQueryFailed, error), 'error')
    else if (data?.status === 'PENDING') toast(text.paymentPending, 'info')
  }

  async function giveUp() {
    try {
      await cancel.mutateAsync({ outTradeNo })
    } catch (error) {
      toast(messageOf(error, '取消支付失败'), 'error')
    }
    // Its result leads away: cancelled, or paid meanwhile.
    await payment.refetch()
  }

  return (
    <Dialog
      title="扫码支付"
      open
      persistent
      onClose={onClose}
      footer={
        <>
          <Button busy={cancel.isPending} onClick={() => void giveUp()}>
            {verbs.cancelPayment}
          </Button>
          <Button tone={qrCode ? 'primary' : 'plain'} busy={payment.isFetching} onClick={() => void check()}>
            {verbs.checkPayment}
          </Button>
        </>
      }
    >
      <Way reply={reply} method={method} />
      <Facts
        facts={[
          [labels.orderNumber, outTradeNo, 'mono'],
          [labels.amount, <Money key="money" yuan={money} />],
          [labels.paymentMethod, methodName(method)],
        ]}
      />
    </Dialog>
  )
}

function useSettled(status: PaymentStatus | undefined, onClose: () => void): void {
  const utils = trpc.useUtils()
  const settled = useRef(false)

  // The result comes from a notification or another window and leads away exactly once.
  useEffect(() => {
    if (settled.current || !status || status === 'PENDING') return
    settled.current = true
    if (status === 'SUCCESS') {
      toast(text.paymentSucceeded, 'success')
      void utils.wallet.invalidate()
      onClose()
      navigate(paths.profile())
    } else {
      if (status === 'FAILED') toast(text.paymentFailed, 'error')
      else toast(text.paymentCancelled, 'info')
      onClose()
    }
  }, [status, utils, onClose])
}

function Way({ reply: { qrCode, payUrl }, method }: Pick<StartedPayment, 'reply' | 'method'>) {
  return (
    <Middle>
      {qrCode ? (
        <>
          <Code>
            <Qr text={qrCode} label={`${methodName(method)}付款二维码`} />
          </Code>
          <p>请使用{methodName(method)}扫描二维码完成支付</p>
        </>
      ) : payUrl ? (
        <>
          <Button
            tone="primary"
            size="lg"
            icon={<ExternalLink size={16} strokeWidth={1.75} aria-hidden />}
            onClick={() => window.open(payUrl, '_blank', 'noopener')}
          >
            前往支付
          </Button>
          <p>在新窗口完成支付后回到这里，到账会自动显示</p>
        </>
      ) : (
        <p>支付订单已提交，正在等待支付网关确认</p>
      )}
    </Middle>
  )
}

const Middle = styled.div`
  display: grid;
  justify-items: center;
  gap: 12px;
  padding: 8px 0 20px;
  text-align: center;

  p {
    ${font.xs}
    color: ${color.text2};
  }
`

const Code = styled.div`
  display: grid;
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
`
