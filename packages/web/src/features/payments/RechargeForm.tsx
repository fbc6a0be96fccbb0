import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { paymentMethods, type PaymentMethod } from '@vps/shared/payments'
import * as text from '@vps/shared/text'
import { yuan } from '@vps/shared/money'
import { rechargeMax, rechargeMin, rechargeQuickAmounts } from '@vps/shared/wallet'
import { useState } from 'react'
import styled from 'styled-components'
import { useSearchParams } from 'wouter'
import { messageOf, Unanswered } from '../../api/errors'
import { useKeyed } from '../../api/use-keyed'
import { trpc } from '../../api/trpc'
import { color, font, media, radius } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { BeingChecked } from '../../ui/BeingChecked'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/Field'
import { Tiles } from '../../ui/Tiles'
import { toast } from '../../ui/toast'
import { methodIcons } from './methods'
import { amountFault, type StartedPayment } from './recharge'

/** Sent once however often it is pressed. */
export function RechargeForm({ onStarted }: { onStarted: (started: StartedPayment) => void }) {
  const [params] = useSearchParams()
  const [amount, setAmount] = useState(() => params.get('amount') ?? '10')
  const [method, setMethod] = useState<PaymentMethod>('alipay')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [unsure, setUnsure] = useState(false)
  const create = trpc.payments.create.useMutation()
  const [createOnce, creating] = useKeyed(create.mutateAsync)
  const fault = amountFault(amount)

  async function submit() {
    setProblem(null)
    setUnsure(false)
    const money = Number(amount)
    try {
      const reply = await createOnce({
        money,
        type: method,
        ...(name.trim() ? { name: name.trim() } : {}),
        device: window.matchMedia('(max-width: 639px)').matches ? 'mobile' : 'pc',
      })
      if (reply.code !== 1) return setProblem(reply.msg || text.paymentCreateFailed)
      toast(text.paymentCreated, 'success')
      onStarted({ reply, money, method })
    } catch (error) {
      setProblem(messageOf(error, text.paymentCreateFailed))
      setUnsure(error instanceof Unanswered)
    }
  }

  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <AmountField value={amount} fault={fault} onChange={setAmount} />
      <MethodChoice value={method} onChange={setMethod} />
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
        disabled={fault !== null}
        busy={creating}
        busyLabel="正在创建支付订单…"
      >
        {unsure ? text.askAgain : verbs.rechargeNow}
      </Button>
    </Form>
  )
}

function AmountField({
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
      <TextField
        label="充值金额"
        type="number"
        inputMode="decimal"
        step="0.01"
        min={yuan.encode(rechargeMin)}
        max={yuan.encode(rechargeMax)}
        start="¥"
        value={value}
        error={fault ?? undefined}
        onChange={(event) => onChange(event.target.value)}
      />
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

function MethodChoice({ value, onChange }: { value: PaymentMethod; onChange: (method: PaymentMethod) => void }) {
  return (
    <Tiles
      legend={labels.paymentMethod}
      name="method"
      minWidth={200}
      value={value}
      onChange={onChange}
      tiles={paymentMethods.map(({ code, name, icon }) => {
        const Icon = methodIcons[icon]
        return {
          value: code,
          label: name,
          content: (
            <Method>
              <Icon size={20} strokeWidth={1.75} aria-hidden />
              {name}
            </Method>
          ),
        }
      })}
    />
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

const Method = styled.span`
  display: flex;
  align-items: center;
  gap: 10px;

  svg {
    color: ${color.primary.text};
  }
`
