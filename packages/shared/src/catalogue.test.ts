import { expect, test } from 'vitest'
import { applyDiscountInput } from './catalogue.contract.js'

const faultOf = (discountPercentage: number) =>
  applyDiscountInput.safeParse({ id: '01a21416-458c-7256-a7e3-43fdee579ab5', discountPercentage }).error?.issues[0]
    ?.message

test('a discount is a percentage with two decimals that leaves a discount when the database has rounded it', () => {
  expect([0.01, 0.1 + 0.2, 12.25, 100].map(faultOf)).toEqual([undefined, undefined, undefined, undefined])
  expect([0, -5, 100.01].map(faultOf)).toEqual(['折扣必须大于0', '折扣必须大于0', '折扣不能超过100'])
  expect([12.345, 0.004, 5e-324].map(faultOf)).toEqual(Array(3).fill('折扣最多保留两位小数'))
})
