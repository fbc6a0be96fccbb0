import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { priceGroup } from '../../../testing/operators-things'
import { faultsOf, termsOf } from './discount-form'

test('a discount without a percentage is refused by a sentence at its field', () => {
  const values = { ...termsOf(priceGroup()), discountPercentage: null }
  expect(faultsOf(priceGroup(), values, new Date())).toEqual({ discountPercentage: text.discountRequired })
})
