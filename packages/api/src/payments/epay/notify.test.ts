import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readNotify } from './notify.js'
import { withSignature } from './sign.js'

const merchant = { pid: '1001', key: 'a-key-of-the-merchant' }
const paid = {
  pid: '1001',
  trade_no: '2026010112000012345',
  out_trade_no: 'R20260101120000abcdef',
  type: 'alipay',
  name: 'product',
  money: '10',
  trade_status: 'TRADE_SUCCESS',
}

function notice(changes: Record<string, string> = {}, key = merchant.key): string {
  return new URLSearchParams([...withSignature(new Map(Object.entries({ ...paid, ...changes })), key)]).toString()
}

test('a stock notify is understood, its float text as fen', () => {
  expect(readNotify(notice({ money: '0.1' }), merchant)).toEqual({
    kind: 'valid',
    notice: { outTradeNo: paid.out_trade_no, tradeNo: paid.trade_no, method: 'alipay', amountFen: 10 },
  })
})

test('a field that we do not know is signed too and changes nothing', () => {
  expect(readNotify(notice({ tenant: '王 & 李', param: '' }), merchant).kind).toBe('valid')
})

test.each<[string, string, string]>([
  ['another key', notice({}, 'another-key'), 'signature'],
  ['another merchant', notice({ pid: '1002' }), 'another merchant'],
  ['not a success', notice({ trade_status: 'TRADE_CLOSED' }), 'not a success'],
  ['no status', notice({ trade_status: '' }), 'not a success'],
  ['an amount in the wrong form', notice({ money: '1e2' }), 'money'],
  ['an amount finer than a fen', notice({ money: '10.001' }), 'money'],
  ['no number of ours', notice({ out_trade_no: '' }), 'numbers'],
  ['no number of theirs', notice({ trade_no: '' }), 'numbers'],
  ['a number with other signs', notice({ out_trade_no: "R1' or 1=1" }), 'numbers'],
  ['a repeated field', `${notice()}&money=10000`, 'malformed'],
  ['an array', `${notice()}&sign[]=1`, 'malformed'],
  ['a field within a field', notice({ name: 'x&trade_status=TRADE_SUCCESS' }), 'a field within a field'],
  ['nothing', '', 'another merchant'],
])('a notify with %s is refused, and the log can say why', (_, raw, reason) => {
  expect(readNotify(raw, merchant)).toEqual({ kind: 'refused', reason })
})

test.each(['notify_url', 'return_url', 'clientip', 'device', 'method'])(
  'a notify with %s, which only a create has, is refused',
  (field) => {
    const raw = notice({ [field]: 'https://shop.example/notify' })
    expect(readNotify(raw, merchant)).toEqual({ kind: 'refused', reason: 'fields of a create' })
  },
)

test('a notify is read up to a bound of fields and of length, and not beyond', () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 'x']))
  expect(readNotify(notice(fields(31)), merchant).kind).toBe('valid')
  expect(readNotify(notice(fields(32)), merchant)).toEqual({ kind: 'refused', reason: 'malformed' })
  const rest = 8192 - notice({ param: '' }).length
  expect(readNotify(notice({ param: 'x'.repeat(rest) }), merchant).kind).toBe('valid')
  expect(readNotify(notice({ param: 'x'.repeat(rest + 1) }), merchant).kind).toBe('refused')
})

test('the signature of a create does not pass as that of a paid notify', () => {
  // The create was signed over return_url=…&trade_no=1&trade_status=TRADE_SUCCESS as one value.
  const create = new Map(
    Object.entries({ pid: '1001', type: 'alipay', out_trade_no: paid.out_trade_no, money: '10', name: 'x' }),
  )
  const signed = withSignature(
    new Map([...create, ['return_url', 'https://shop.example/&trade_no=1&trade_status=TRADE_SUCCESS']]),
    merchant.key,
  )
  const forged = new URLSearchParams([
    ...create,
    ['return_url', 'https://shop.example/'],
    ['trade_no', '1'],
    ['trade_status', 'TRADE_SUCCESS'],
  ])
  forged.set('sign', signed.get('sign') ?? '')
  forged.set('sign_type', 'MD5')
  expect(readNotify(forged.toString(), merchant)).toEqual({ kind: 'refused', reason: 'fields of a create' })
})

test('no text makes it throw, and none without the key passes', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webQueryParameters(),
        fc.string().map((text) => `${notice()}${text}&`),
      ),
      (raw) => {
        const read = readNotify(raw, { ...merchant, key: 'never used to sign' })
        expect(read.kind).toBe('refused')
      },
    ),
  )
})
