import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFields } from './fields.js'

describe('a form', () => {
  test.each([
    ['plain', 'a=1&b=2', { a: '1', b: '2' }],
    ['with signs that a form writes otherwise', 'name=%E8%B4%A6%E6%88%B7+x%26y', { name: '账户 x&y' }],
    ['with an empty value', 'a=&b', { a: '', b: '' }],
    ['with a value that holds a sign of equality', 'a=b=c', { a: 'b=c' }],
    ['with empty pieces', '&a=1&&b=2&', { a: '1', b: '2' }],
    ['that is empty', '', {}],
    ['with a name that objects have', 'constructor=x&toString=y', { constructor: 'x', toString: 'y' }],
  ])('%s is read as it is', (_, raw, wanted) => {
    expect(parseFields(raw)).toEqual(new Map(Object.entries(wanted)))
  })

  test.each([
    ['a name twice', 'money=1&money=2'],
    ['a name twice, once written otherwise', 'money=1&%6Doney=2'],
    ['an array', 'sign[]=x'],
    ['a name with a dot', 'a.b=1'],
    ['a name in another alphabet', 'ｍoney=1'],
    ['no name', '=1'],
    ['a name of 41 characters', `${'a'.repeat(41)}=1`],
    ['41 fields', Array.from({ length: 41 }, (_, n) => `f${n}=1`).join('&')],
    ['8,193 characters', `a=${'x'.repeat(8_191)}`],
  ])('with %s is refused whole', (_, raw) => {
    expect(parseFields(raw)).toBeNull()
  })

  test('is read up to its bounds: a name of 40 characters, 40 fields, 8,192 characters', () => {
    expect(parseFields(`${'a'.repeat(40)}=1`)?.size).toBe(1)
    expect(parseFields(Array.from({ length: 40 }, (_, n) => `f${n}=1`).join('&'))?.size).toBe(40)
    expect(parseFields(`a=${'x'.repeat(8_190)}`)?.get('a')).toHaveLength(8_190)
  })

  test('says what was written, whatever was written', () => {
    const fields = fc.uniqueArray(
      fc.tuple(fc.stringMatching(/^[A-Za-z0-9_]{1,40}$/), fc.string({ unit: 'grapheme' })),
      {
        selector: ([name]) => name,
        maxLength: 10,
      },
    )
    fc.assert(
      fc.property(fields, (written) => {
        const raw = new URLSearchParams(written).toString()
        fc.pre(raw.length <= 8_192)
        expect(parseFields(raw)).toEqual(new Map(written))
      }),
    )
  })
})
