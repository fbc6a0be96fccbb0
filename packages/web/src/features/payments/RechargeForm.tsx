import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { rechargeQuickAmounts } from '@vps/shared/wallet'
import { useState } from 'react'
import styled from 'styled-components'
import { useSearchParams } from 'wouter'
import { AmountField } from '../../checkout/AmountField'
import { MethodChoice } from '../../checkout/MethodChoice'
import { amountFault } from '../../checkout/recharge'
import { useMethod } from '../../checkout/use-method'
import { useRecharge } from '../../checkout/use-recharge'
import { color, font, media, radius } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { BeingChecked } from '../../ui/BeingChecked'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/Field'

interface Props {
  started: string | null
  onStarted: (outTradeNo: string) => void
}

/** Begins with `?amount=`. One that was started is paid first, also while its dialog is on its way. */
export function RechargeForm({ started, onStarted }: Props) {
  const [params] = useSearchParams()
  const [amount, setAmount] = useState(() => params.get('amount') ?? '10')
  const choice = useMethod()
  const [name, setName] = useState('')
  const { start, creating, problem, unsure } = useRecharge((outTradeNo, isHere) => isHere && onStarted(outTradeNo))
  const fault = amountFault(amount)

  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        if (choice.method && !started) void start(Number(amount), choice.method, name.trim())
      }}
    >
      <AmountChoice value={amount} fault={fault} onChange={setAmount} />
      <MethodChoice choice={choice} minWidth={200} />
      <TextField
        label="充值备注（可选）"
        placeholder={labels.accountRecharge}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {problem && <Alert tone="error">{problem}</Alert>}
      <BeingChecked />
      <Button
        type="submit"
        tone="primary"
        size="lg"
        disabled={fault !== null || choice.method === null}
        busy={creating}
        busyLabel={text.paymentCreating}
      >
        {unsure ? text.askAgain : verbs.rechargeNow}
      </Button>
    </Form>
  )
}

function AmountChoice({
  value,
  fault,
  onChange,
}: {
  value: string
  fault: string | null
  onChange: (typed: string) => void
}) {
  return (
    <Amount>
      <AmountField value={value} fault={fault} onChange={onChange} />
      <Quick role="group" aria-label="快捷金额">
        {rechargeQuickAmounts.map((quick) => (
          <button
            key={quick}
            type="button"
            aria-pressed={Number(value) === quick}
            onClick={() => onChange(String(quick))}
          >
            ¥{quick}
          </button>
        ))}
      </Quick>
    </Amount>
  )
}

const Form = styled.form`
  display: grid;
  gap: 24px;

  > button {
    justify-self: start;
    min-width: 200px;
  }

  ${media.phone} {
    > button {
      justify-self: stretch;
    }
  }
`

const Amount = styled.div`
  display: grid;
  gap: 12px;
  max-width: 480px;
`

const Quick = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;

  button {
    height: 32px;
    padding: 0 16px;
    border: 1px solid ${color.line};
    border-radius: ${radius.pill};
    background: ${color.page};
    color: ${color.text2};
    ${font.sm}
    ${font.numbers}
    cursor: pointer;

    &:hover {
      border-color: ${color.primary.brand};
    }

    &[aria-pressed='true'] {
      border-color: ${color.primary.brand};
      background: ${color.primary.tint};
      color: ${color.primary.text};
    }

    ${media.phone} {
      height: 44px;
    }
  }
`
