import { pageInput } from '@vps/shared/page.contract'
import { describe, expect, test } from 'vitest'
import { changed, changedSort, conditionsIn, isOneOf, pageIn, sizeIn, sortIn } from './address-filters'
import { settledNumber } from './settled-number'

const at = (search: string) => new URLSearchParams(search)

describe('the address of a list', () => {
  test('has the conditions that were chosen, and blanks for the others', () => {
    expect(conditionsIn(at('?q=a+b&status=PAID&other=1'), ['q', 'status', 'method'])).toEqual({
      q: 'a b',
      status: 'PAID',
      method: '',
    })
  })

  test.each([
    ['', 0],
    ['?page=1', 0],
    ['?page=2', 1],
    ['?page=0', 0],
    ['?page=-3', 0],
    ['?page=x', 0],
    ['?page=2.9', 1],
    ['?page=', 0],
  ])('"%s" is the page %s, counted from nothing', (search, page) => {
    expect(pageIn(at(search))).toBe(page)
  })

  test.each(['?page=99999999', '?page=9e99', `?page=${'9'.repeat(400)}`])(
    'that nobody could have come to asks for no page that the server would refuse: %s',
    (search) => {
      expect(pageInput.shape.page.safeParse(pageIn(at(search))).success).toBe(true)
    },
  )

  test.each([
    ['', 10],
    ['?size=5', 5],
    ['?size=50', 50],
    ['?size=7', 10],
    ['?size=1000', 10],
    ['?size=05', 10],
  ])('"%s" has pages of %s', (search, size) => {
    expect(sizeIn(at(search))).toBe(size)
  })

  test('has an order that the server knows, newest first unless asked otherwise', () => {
    const keys = ['createdAt', 'money'] as const
    expect(sortIn(at(''), keys)).toEqual({ key: 'createdAt', descending: true })
    expect(sortIn(at('?sort=money&order=asc'), keys)).toEqual({ key: 'money', descending: false })
    expect(sortIn(at('?sort=secret&order=up'), keys)).toEqual({ key: 'createdAt', descending: true })
  })
})

describe('another condition', () => {
  test('stands in the address; what is blank does not, and what is not the list’s own stays', () => {
    expect(String(changed(at('?q=a&status=PAID&orderId=1'), { q: '', status: 'FAILED' }))).toBe(
      'status=FAILED&orderId=1',
    )
  })

  test('leaves the address that it was made from as it was', () => {
    const before = at('?q=a')
    changed(before, { q: 'b' })
    expect(String(before)).toBe('q=a')
  })

  test('of the order begins at the first page, and says no more than it must', () => {
    const sorted = changedSort(at('?page=3&q=a'), { key: 'money', descending: false })
    expect(String(sorted)).toBe('q=a&sort=money&order=asc')
    expect(String(changedSort(sorted, { key: 'money', descending: true }))).toBe('q=a&sort=money')
  })
})

test('a value is known or not, whatever it looks like', () => {
  expect([isOneOf(['PAID'], 'PAID'), isOneOf(['PAID'], 'paid'), isOneOf(['PAID'], '')]).toEqual([true, false, false])
})

describe('a number beside a slider', () => {
  const storage = { min: 20, max: 2000, step: 10 }

  test.each([
    ['57', 60],
    ['54.9', 50],
    ['0', 20],
    ['-5', 20],
    ['99999', 2000],
    [' 120 ', 120],
    ['25', 30],
    ['１２０', 120],
  ])('that is typed as %s settles at %s', (typed, settled) => {
    expect(settledNumber(typed, storage)).toBe(settled)
  })

  test.each(['', '  ', 'abc', '1,000', '12 GB'])('that is no number changes nothing: "%s"', (typed) => {
    expect(settledNumber(typed, storage)).toBeNull()
  })

  test('counts its steps from where the slider begins', () => {
    expect(settledNumber('57', { min: 45, max: 2000, step: 10 })).toBe(55)
  })

  test('never leaves the limits for the sake of a step', () => {
    expect(settledNumber('104', { min: 20, max: 103, step: 10 })).toBe(100)
    expect(settledNumber('999', { min: 20, max: 107, step: 10 })).toBe(107)
  })
})
