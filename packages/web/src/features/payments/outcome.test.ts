import { TRPCClientError } from '@trpc/client'
import { paymentMethods } from '@vps/shared/payments'
import { describe, expect, test } from 'vitest'
import { methodMarks } from '../../checkout/MethodMark'
import { methodName } from '../../checkout/methods'
import { isTransient, outcomeOf, unasked } from './outcome'

describe('what is told of a payment', () => {
  test.each([
    ['success', 'SUCCESS', 'success'],
    ['failed', 'SUCCESS', 'success'],
    ['success', 'FAILED', 'failed'],
    ['success', 'CANCELLED', 'failed'],
    ['failed', 'CANCELLED', 'failed'],
    ['success', 'PENDING', 'waiting'],
    ['failed', 'PENDING', 'failed'],
    ['success', undefined, 'unknown'],
    ['failed', undefined, 'unknown'],
  ] as const)('an address that claims %s of one that is %s: %s', (claimed, status, outcome) => {
    expect(outcomeOf(claimed, status, false)).toBe(outcome)
  })

  test('is nothing but that it is looked for while it is', () => {
    for (const claimed of ['success', 'failed'] as const) expect(outcomeOf(claimed, undefined, true)).toBe('waiting')
  })

  test('to whom nobody can be asked about is never that it succeeded', () => {
    expect([unasked('success', null), unasked('success', 'token')]).toEqual(['visitor', 'unknown'])
    expect([unasked('failed', null), unasked('failed', 'token')]).toEqual(['failed', 'failed'])
  })
})

describe('an answer that did not come', () => {
  const refused = (httpStatus: number) =>
    TRPCClientError.from({ error: { code: -32000, message: '', data: { code: 'X', httpStatus } } })

  test('is looked for again; one that says no is an answer', () => {
    expect(isTransient(TRPCClientError.from(new TypeError('Failed to fetch')))).toBe(true)
    expect([isTransient(refused(503)), isTransient(refused(500))]).toEqual([true, true])
    expect([isTransient(refused(404)), isTransient(refused(401)), isTransient(null)]).toEqual([false, false, false])
  })
})

test('every way to pay has a picture and a name; one that is not known stands for itself', () => {
  for (const { code, icon, name } of paymentMethods) {
    expect(methodMarks[icon], code).toBeDefined()
    expect(methodName(code)).toBe(name)
  }
  expect(methodName('cash')).toBe('cash')
})
