import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFields } from './fields.js'
import { isSigned, signFields, withSignature } from './sign.js'

const name = fc.stringMatching(/^[a-z][a-z_]{0,10}$/)
const entries = fc.uniqueArray(fc.tuple(name, fc.string()), {
  selector: ([field]) => field,
  minLength: 1,
  maxLength: 15,
})

test('the signature is the MD5 of the sorted, joined values and the key', () => {
  const fields = new Map([
    ['type', 'alipay'],
    ['money', '1.00'],
    ['pid', '1001'],
    ['param', ''],
    ['name', '账户充值'],
    ['zero', '0'],
    ['Upper', 'first'],
  ])
  // printf '%s' 'Upper=first&money=1.00&name=账户充值&pid=1001&type=alipay&zero=0KEY' | md5sum
  expect(signFields(fields, 'KEY')).toBe('e01e2f16a3c4561a0668bbe472b96015')
})

test('the order of the fields does not change the signature', () => {
  fc.assert(
    fc.property(entries, fc.string({ minLength: 1 }), (fields, key) => {
      expect(signFields(new Map(fields.toReversed()), key)).toBe(signFields(new Map(fields), key))
    }),
  )
})

test('what was signed verifies after travelling as a form, and no longer once a value has changed', () => {
  fc.assert(
    fc.property(entries, fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (given, key, other) => {
      const fields = given.filter(([field]) => field !== 'sign' && field !== 'sign_type')
      const wire = new URLSearchParams([...withSignature(new Map(fields), key)]).toString()
      const arrived = parseFields(wire)
      fc.pre(arrived !== null && fields.every(([field, value]) => arrived.get(field) === value))
      expect(isSigned(arrived!, key)).toBe(true)
      const [first] = fields
      fc.pre(first !== undefined && first[1] !== other)
      expect(isSigned(new Map([...arrived!, [first![0], other]]), key)).toBe(false)
    }),
  )
})

test.each([
  ['a short one', 'abc'],
  ['none', undefined],
  ['upper case', 'D41D8CD98F00B204E9800998ECF8427E'],
])('a wrong signature is refused: %s', (_, sign) => {
  const fields = new Map([['pid', '1'], ...(sign === undefined ? [] : [['sign', sign] as const])] as [string, string][])
  expect(isSigned(fields, 'KEY')).toBe(false)
})

test('another kind of signature is refused, so that a stronger one cannot be talked down', () => {
  const signed = withSignature(new Map([['pid', '1']]), 'KEY').set('sign_type', 'RSA')
  expect(isSigned(signed, 'KEY')).toBe(false)
})

test('an empty key is a fault of the set-up, not a signature', () => {
  expect(() => isSigned(new Map([['sign', 'x']]), '')).toThrow('empty key')
})

test.each(['a=1&a=2', 'sign[]=1', '__proto__[x]=1', 'a.b=1', `a=${'x'.repeat(9_000)}`])(
  'a form with two readings is refused: %.20s',
  (raw) => {
    expect(parseFields(raw)).toBeNull()
  },
)

test('a prototype name is a field like any other', () => {
  expect(parseFields('__proto__=1&constructor=2')?.get('toString')).toBeUndefined()
})
