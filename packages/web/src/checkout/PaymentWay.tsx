import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { PaymentView } from '@vps/shared/payments.contract'
import { ExternalLink, Smartphone } from 'lucide-react'
import styled from 'styled-components'
import { color, font, radius } from '../theme/tokens'
import { Button } from '../ui/Button'
import { Facts } from '../ui/Facts'
import { Money } from '../ui/Money'
import { Qr } from '../ui/Qr'
import { usePhone } from '../theme/use-media'
import { methodName } from './methods'

/** Where to pay a started payment, and what. */
export function PaymentWay({ payment }: { payment: PaymentView }) {
  return (
    <>
      <Way payment={payment} />
      <Facts
        facts={[
          [labels.orderNumber, payment.outTradeNo, 'mono'],
          [labels.amount, <Money key="money" yuan={payment.money} />],
          [labels.paymentMethod, methodName(payment.type)],
        ]}
      />
    </>
  )
}

function Way({ payment: { qrCode, payUrl, type } }: { payment: PaymentView }) {
  const phone = usePhone()
  if (qrCode) {
    return (
      <Middle>
        {phone && (
          <>
            <Button
              tone="primary"
              size="lg"
              wide
              icon={<Smartphone size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => open(qrCode)}
            >
              {verbs.open}
              {methodName(type)}付款
            </Button>
            <p>没有打开？用另一台设备扫描二维码，或保存截图后在{methodName(type)}中识别</p>
          </>
        )}
        <Code>
          <Qr text={qrCode} label={`${methodName(type)}付款二维码`} />
        </Code>
        {!phone && <p>请使用{methodName(type)}扫描二维码完成支付，到账会自动显示</p>}
      </Middle>
    )
  }
  return (
    <Middle>
      {payUrl ? (
        <>
          <Button
            tone="primary"
            size="lg"
            wide={phone}
            icon={<ExternalLink size={16} strokeWidth={1.75} aria-hidden />}
            onClick={() => open(payUrl)}
          >
            {verbs.goPay}
          </Button>
          <p>在新窗口完成支付后回到这里，到账会自动显示</p>
        </>
      ) : (
        <p>支付订单已提交，正在等待支付网关确认</p>
      )}
    </Middle>
  )
}

/** The page stays: it hears of the credit. */
const open = (address: string) => window.open(address, '_blank', 'noopener')

const Middle = styled.div`
  display: grid;
  justify-items: center;
  gap: 12px;
  padding: 8px 0 20px;
  text-align: center;

  p {
    max-width: 32em;
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
