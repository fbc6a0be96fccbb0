import { createPaymentInput } from '@vps/shared/payments.contract'
import { expect, it } from 'vitest'
import { amountFault } from './recharge'

it.each(['1', '10', '0.99', '1.00', '10000', '10000.01', '9999.99', '1.999', '10001'])(
  'the amount %s is refused here exactly when the contract refuses it, with the same words',
  (typed) => {
    const parsed = createPaymentInput.safeParse({ money: Number(typed) })
    expect(amountFault(typed)).toBe(parsed.success ? null : parsed.error.issues[0]!.message)
  },
)

it('asks for an amount, and for digits', () => {
  expect(amountFault(' ')).toBe('请输入充值金额')
  expect(amountFault('1e3')).toBe('金额格式不正确')
})
