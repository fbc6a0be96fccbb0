import { formatYuan, yuan, type Fen } from '@vps/shared/money'
import * as verbs from '@vps/shared/verbs'
import { rechargeFor } from '@vps/shared/wallet'
import { useState } from 'react'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'
import { Alert } from '../ui/Alert'
import { Refusal } from '../ui/Refusal'
import { Switch } from '../ui/Switch'
import { AmountField } from './AmountField'
import { amountFault } from './recharge'
import { MethodChoice } from './MethodChoice'
import { useMethod } from './use-method'

/** Exactly what the balance lacks, until something else is typed. */
export function useTopUpChoice(missing: Fen) {
  const [typed, setTyped] = useState<string | null>(null)
  const way = useMethod()
  const [willing, setWilling] = useState(true)
  const amount = typed ?? yuan.encode(rechargeFor(missing)).toFixed(2)
  const fault = amountFault(amount)
  const covers = fault === null && yuan.decode(Number(amount)) >= missing
  return { amount, setTyped, way, fault, covers, willing, setWilling, pays: covers && willing }
}

/** Of the button. */
export function rechargeWords({ amount, fault, pays }: ReturnType<typeof useTopUpChoice>): string {
  if (fault !== null) return verbs.recharge
  return `${verbs.recharge} ${formatYuan(yuan.decode(Number(amount)))}${pays ? ' 并支付订单' : ''}`
}

/** Recharging where an order is paid. */
export function TopUpForm({ choice, problem }: { choice: ReturnType<typeof useTopUpChoice>; problem: string | null }) {
  const { amount, setTyped, fault, way, covers, willing, setWilling } = choice
  return (
    <Fields>
      <AmountField help="默认刚好补足差额，多充的部分留在余额" value={amount} fault={fault} onChange={setTyped} />
      {covers ? (
        <PaysByItself checked={willing} onChange={setWilling} />
      ) : (
        fault === null && <Alert tone="info">该金额不足以支付订单，到账后仍需补足差额。</Alert>
      )}
      <MethodChoice choice={way} minWidth={120} />
      {problem && <Refusal>{problem}</Refusal>}
    </Fields>
  )
}

/** The customer's word that the order goes on by itself. */
export function PaysByItself({ checked, onChange }: { checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <Word>
      <Switch label="到账后自动支付此订单" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <small>{checked ? '价格有变时不会扣款，会请您重新确认' : '到账后留在余额，由您确认支付'}</small>
    </Word>
  )
}

const Fields = styled.div`
  display: grid;
  gap: 16px;
`

const Word = styled.div`
  display: grid;
  gap: 2px;

  small {
    ${font.xs}
    color: ${color.text3};
  }
`
