import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { fen } from '@vps/shared/money'
import { loopback } from '@vps/shared/networks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentRequest } from '../../gateway.js'
import { epayGateway } from './client.js'

/** What gateways in the field answer: anything that must be guessed is `unknown`, never paid. */

type Answer = { status?: number; body: string | Buffer; headers?: Record<string, string> }
let answer: Answer = { body: '' }
let asked: { method: string; url: URL; form: URLSearchParams } | null = null
let server: http.Server
let url = ''
beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      asked = { method: request.method ?? '', url: new URL(request.url ?? '/', url), form: new URLSearchParams(body) }
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const gateway = () => epayGateway({ url, pid: '1001', key: 'secret', confirm: 'query', allowed: loopback })
const request: PaymentRequest = {
  outTradeNo: 'R20260101120000000001',
  method: 'alipay',
  amountFen: fen(1010),
  subject: '账户充值',
  notifyUrl: 'http://127.0.0.1:9/api/payment/notify',
  returnUrl: 'http://127.0.0.1:9/payment/success?order=R1',
  clientIp: '203.0.113.7',
  device: 'pc',
}
const create = (body: object | string, change: Partial<PaymentRequest> = {}) => {
  answer = { body: typeof body === 'string' ? body : JSON.stringify(body) }
  return gateway().create({ ...request, ...change })
}
const query = (body: object, tradeNo?: string) => {
  answer = { body: JSON.stringify(body) }
  return gateway().query({ outTradeNo: request.outTradeNo, tradeNo })
}
const unknown = (reason: string) => ({ kind: 'unknown', reason })

describe('a reply to a create', () => {
  const payurl = 'https://pay.example/1'

  test.each([
    ['code as a number', { code: 1, payurl }, { kind: 'created', payUrl: payurl, qrCode: null, tradeNo: null }],
    ['code as text', { code: '1', payUrl: payurl }, { kind: 'created', payUrl: payurl }],
    ['its own number', { code: 1, payurl, trade_no: 77 }, { kind: 'created', tradeNo: '77' }],
    ['its own number, written otherwise', { code: 1, payurl, tradeNo: 'T7' }, { kind: 'created', tradeNo: 'T7' }],
    ['our number', { code: 1, payurl, out_trade_no: request.outTradeNo }, { kind: 'created' }],
    ['the address of an app', { code: 1, urlscheme: 'weixin://pay/1' }, { kind: 'created', payUrl: 'weixin://pay/1' }],
    ['another’s number', { code: 1, payurl, out_trade_no: 'R2' }, unknown('reply about another payment')],
    [
      'another’s number, written otherwise',
      { code: 1, payurl, outTradeNo: 'R2' },
      unknown('reply about another payment'),
    ],
    ['no code', { payurl }, unknown('reply without a code')],
    ['a code that is true', { code: true, payurl }, unknown('reply without a code')],
    ['no address', { code: 1 }, unknown('reply without an address to pay at')],
    [
      'a script for an address',
      { code: 1, payurl: 'javascript:alert(1)' },
      unknown('reply without an address to pay at'),
    ],
    ['data for an address', { code: 1, payurl: 'data:text/html,x' }, unknown('reply without an address to pay at')],
    [
      'an address of another host without its scheme',
      { code: 1, payurl: '//evil.example/1' },
      unknown('reply without an address to pay at'),
    ],
    [
      'an address without an end',
      { code: 1, payurl: `https://x.example/${'x'.repeat(2_000)}` },
      unknown('reply without an address to pay at'),
    ],
    ['code 0', { code: 0, msg: '商户不存在' }, { kind: 'refused', message: '商户不存在' }],
    ['code -1', { code: -1, msg: '<b>签名\n错误</b>' }, { kind: 'refused', message: 'b 签名 错误 /b' }],
    ['code 10', { code: 10, payurl }, { kind: 'refused', message: '支付网关拒绝了请求' }],
    ['a list', [], unknown('reply is not JSON')],
    ['a text that is JSON', '"ok"', unknown('reply is not JSON')],
    ['nothing', '', unknown('empty reply')],
    ['only spaces', ' \n ', unknown('empty reply')],
  ])('with %s means what it says', async (_, body, wanted) => {
    expect(await create(body)).toMatchObject(wanted)
  })

  test('whose message has no end is cut', async () => {
    expect(await create({ code: 0, msg: 'x'.repeat(500) })).toEqual({ kind: 'refused', message: 'x'.repeat(200) })
  })

  test('offers a text to draw at a desk and a page to open on a phone, never both', async () => {
    const both = { code: 1, payurl, qrcode: 'weixin://wxpay/1' }
    expect(await create(both)).toMatchObject({ qrCode: 'weixin://wxpay/1', payUrl: null })
    expect(await create(both, { device: 'mobile' })).toMatchObject({ qrCode: null, payUrl: payurl })
    expect(await create({ code: 1, qrcode: 'weixin://wxpay/1' }, { device: 'mobile' })).toMatchObject({
      qrCode: 'weixin://wxpay/1',
      payUrl: null,
    })
  })

  test('in GBK is read as it is meant: it was taken for no answer, or for words that nobody can read', async () => {
    answer = { body: Buffer.from('7b22636f6465223a2d312c226d7367223a22c9ccbba7815cbac5b2bbb4e6d4da227d', 'hex') }
    expect(await gateway().create(request)).toEqual({ kind: 'refused', message: '商户乗号不存在' })
  })

  test('begins with a byte order mark, as some do', async () => {
    expect(await create(`\uFEFF${JSON.stringify({ code: 1, payurl })}`)).toMatchObject({ kind: 'created' })
  })
})

describe('a create', () => {
  test('sends exactly the fields of the protocol, and no device that gateways do not know', async () => {
    await create({ code: 0 }, { device: 'fridge' })
    expect(asked?.method).toBe('POST')
    const { sign, ...fields } = Object.fromEntries(asked!.form)
    expect(sign).toMatch(/^[0-9a-f]{32}$/)
    expect(fields).toEqual({
      pid: '1001',
      type: 'alipay',
      out_trade_no: request.outTradeNo,
      notify_url: request.notifyUrl,
      return_url: request.returnUrl,
      name: '账户充值',
      money: '10.10',
      clientip: '203.0.113.7',
      device: 'pc',
      sign_type: 'MD5',
    })
    await create({ code: 0 }, { device: 'mobile' })
    expect(asked?.form.get('device')).toBe('mobile')
  })

  test.each(['x ', ' ', 'x=1'])('never signs the subject "%s" unless it is plain', async (subject) => {
    const made = create({ code: 0 }, { subject })
    if (subject === 'x ') expect(await made).toMatchObject({ kind: 'refused' })
    else await expect(made).rejects.toThrow('subject')
  })
})

describe('a reply to a query', () => {
  const order = {
    code: 1,
    pid: 1001,
    trade_no: 'T1',
    out_trade_no: request.outTradeNo,
    type: 'alipay',
    money: '10.10',
    status: 1,
  }
  const paid = { kind: 'paid', tradeNo: 'T1', amountFen: 1010, method: 'alipay' }

  test.each([
    ['of a paid order', {}, paid],
    ['with its status in words', { trade_status: 'TRADE_SUCCESS' }, paid],
    ['with everything as text', { code: '1', pid: '1001', status: '1', money: '10.1' }, paid],
    ['without a method', { type: '' }, { ...paid, method: null }],
    ['of an unpaid order', { status: 0 }, { kind: 'unpaid', tradeNo: 'T1' }],
    ['of an order that was frozen before it was paid', { status: 4, trade_no: '' }, { kind: 'unpaid', tradeNo: null }],
    ['of money that went back', { status: 2 }, { kind: 'reversed', tradeNo: 'T1' }],
    ['of money that was frozen', { status: 3 }, { kind: 'reversed', tradeNo: 'T1' }],
    ['with two statuses that contradict', { trade_status: 'TRADE_CLOSED' }, unknown('two statuses that contradict')],
    ['with an amount finer than a fen', { money: '10.101' }, unknown('paid without a readable amount')],
    ['with an amount in another form', { money: '1e1' }, unknown('paid without a readable amount')],
    ['without an amount', { money: undefined }, unknown('paid without a readable amount')],
    ['without its number', { trade_no: '' }, unknown('paid without a readable amount')],
    ['of another merchant', { pid: 1002 }, unknown('reply about another payment')],
    ['of another order', { out_trade_no: 'R2' }, unknown('reply about another payment')],
    ['with a status that nobody knows', { status: 9 }, unknown('status not known')],
    ['without a status', { status: undefined }, unknown('status not known')],
    ['without a code', { code: undefined }, unknown('reply without a code')],
    ['that knows no such order', { code: -1, msg: '订单号不存在' }, { kind: 'absent', message: '订单号不存在' }],
    ['that knows no such key', { code: -3, msg: '商户密钥错误' }, unknown('merchant or key not accepted')],
    ['that knows no such merchant', { code: '-3', msg: '商户ID不存在' }, unknown('merchant or key not accepted')],
  ])('%s means what it says', async (_, change, wanted) => {
    expect(await query({ ...order, ...change })).toEqual(wanted)
  })

  test('that nests the order is read there, where the outer status means only that it was found', async () => {
    const { code, ...inner } = order
    expect(await query({ code, status: 1, data: inner })).toEqual(paid)
    expect(await query({ code, status: 1, data: { ...inner, status: 0 } })).toEqual({ kind: 'unpaid', tradeNo: 'T1' })
    expect(await query({ code, status: 1, data: [inner] })).toEqual(unknown('reply about another payment'))
  })

  test('proves both numbers where a notify named one', async () => {
    expect(await query(order, 'T1')).toEqual(paid)
    expect(Object.fromEntries(asked!.url.searchParams)).toEqual({
      act: 'order',
      pid: '1001',
      key: 'secret',
      trade_no: 'T1',
      out_trade_no: request.outTradeNo,
    })
    expect(await query(order, 'T2')).toEqual(unknown('reply about another payment'))
    await query(order)
    expect(asked!.url.searchParams.has('trade_no')).toBe(false)
  })
})

test.each([
  ['a fault of the server, whatever it says', { status: 500, body: '{"code":1}' }, 'status 500'],
  ['a refusal before the gateway', { status: 403, body: '{"code":403,"msg":"Forbidden"}' }, 'status 403'],
  ['who asks too often', { status: 429, body: '{"code":429,"msg":"Too Many Requests"}' }, 'status 429'],
  ['a redirect', { status: 302, body: '{"code":1}', headers: { location: '/' } }, 'status 302'],
  ['more than anybody reads', { body: `{"code":1,"x":"${'x'.repeat(70_000)}"}` }, 'reply too long'],
  ['bytes that are no text', { body: Buffer.from([0xff, 0xfe, 0x00]) }, 'reply is not JSON'],
])('%s leaves open what happened', async (_, given, reason) => {
  answer = given
  expect(await gateway().create(request)).toEqual(unknown(reason))
  expect(await gateway().query({ outTradeNo: request.outTradeNo })).toEqual(unknown(reason))
})
