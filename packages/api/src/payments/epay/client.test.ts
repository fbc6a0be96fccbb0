import { fen } from '@vps/shared/money'
import { loopback } from '@vps/shared/networks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startSandboxGateway, type SandboxGateway } from '../../../../demo/src/gateway/server.js'
import type { PaymentRequest } from '../../gateway.js'
import { epayGateway } from './client.js'

const credentials = { pid: '1001', key: 'a-key-of-the-merchant', confirm: 'query' } as const
let sandbox: SandboxGateway
let number = 0

beforeAll(async () => {
  sandbox = await startSandboxGateway(credentials)
})
afterEach(() => Object.assign(sandbox.faults, { create: 'normal', query: 'normal', notify: 'drop', reply: 'auto' }))
afterAll(() => sandbox.stop())

const gateway = () => epayGateway({ url: sandbox.url, allowed: loopback, ...credentials })
const request = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
  outTradeNo: `R20260101120000${String((number += 1)).padStart(6, '0')}`,
  method: 'alipay',
  amountFen: fen(1010),
  subject: '账户充值',
  notifyUrl: 'http://127.0.0.1:9/api/payment/notify',
  returnUrl: 'http://127.0.0.1:9/payment/success?order=R1',
  clientIp: '203.0.113.7',
  device: 'pc',
  ...changes,
})

test('a gateway on the inside of a network is not called unless that is allowed, whatever its name resolves to', async () => {
  for (const url of [sandbox.url, sandbox.url.replace('127.0.0.1', 'localhost')]) {
    const inside = epayGateway({ url, allowed: [], ...credentials })
    expect(await inside.create(request())).toEqual({ kind: 'unknown', reason: 'internal address' })
    expect(await inside.query({ outTradeNo: 'R1' })).toEqual({ kind: 'unknown', reason: 'internal address' })
  }
})

describe('create', () => {
  test('gives a page to open, and the same payment again for the same values', async () => {
    const wanted = request()
    const first = await gateway().create(wanted)
    expect(first).toMatchObject({
      kind: 'created',
      qrCode: null,
      payUrl: expect.stringContaining(`${sandbox.url}/pay/`),
    })
    expect(await gateway().create(wanted)).toEqual(first)
  })

  test('other values under a used number are refused, with the gateway’s words', async () => {
    const wanted = request()
    await gateway().create(wanted)
    expect(await gateway().create({ ...wanted, amountFen: fen(1) })).toEqual({
      kind: 'refused',
      message: '订单号重复，参数不一致',
    })
  })

  test('a wrong key is refused', async () => {
    const stranger = epayGateway({ url: sandbox.url, allowed: loopback, ...credentials, key: 'another' })
    expect(await stranger.create(request())).toEqual({ kind: 'refused', message: '签名校验失败' })
  })

  test('a page instead of JSON for an unknown method proves nothing', async () => {
    expect(await gateway().create(request({ method: 'cowrie' }))).toEqual({
      kind: 'unknown',
      reason: 'reply is not JSON',
    })
  })

  test.each([['html'], ['half'], ['lost']] as const)(
    'a gateway that answers %s leaves it open, and a second try finds the same payment',
    async (fault) => {
      const wanted = request()
      sandbox.faults.create = fault
      expect((await gateway().create(wanted)).kind).toBe('unknown')
      sandbox.faults.create = 'normal'
      expect((await gateway().create(wanted)).kind).toBe('created')
    },
  )

  test('an address without its host belongs to the gateway', async () => {
    sandbox.faults.create = 'relative'
    expect(await gateway().create(request())).toMatchObject({ payUrl: expect.stringContaining(`${sandbox.url}/pay/`) })
  })

  test('a text to draw comes as such', async () => {
    sandbox.faults.reply = 'qrcode'
    expect(await gateway().create(request({ method: 'wxpay' }))).toMatchObject({
      kind: 'created',
      payUrl: null,
      qrCode: expect.stringContaining('/pay/'),
    })
  })

  test.each([
    ['a notify address with a query', { notifyUrl: 'http://127.0.0.1/notify?a=1' }],
    ['a subject with a field in it', { subject: 'x&trade_status=TRADE_SUCCESS' }],
    ['a return address with two fields', { returnUrl: 'http://127.0.0.1/?order=1&trade_no=1' }],
    ['a number that can be guessed', { outTradeNo: 'R1' }],
  ])('%s is never signed', async (_, changes) => {
    await expect(gateway().create(request(changes))).rejects.toThrow(/query|subject|return address|random/)
  })

  test.each(['', '/', '/mapi.php', '/submit.php', '/api.php'])('the address may end in "%s"', async (ending) => {
    const typed = epayGateway({ url: `${sandbox.url}${ending}`, allowed: loopback, ...credentials })
    expect((await typed.create(request())).kind).toBe('created')
  })

  test('nobody at the address is unknown, not refused', async () => {
    const gone = await startSandboxGateway(credentials)
    await gone.stop()
    const nobody = epayGateway({ url: gone.url, allowed: loopback, ...credentials })
    expect(await nobody.create(request())).toEqual({ kind: 'unknown', reason: 'ECONNREFUSED' })
  })
})

describe('query', () => {
  test('an unpaid payment, a paid one, and one that nobody knows are told apart', async () => {
    const wanted = request()
    const created = await gateway().create(wanted)
    const tradeNo = created.kind === 'created' ? created.tradeNo! : ''
    expect(await gateway().query(wanted)).toEqual({ kind: 'unpaid', tradeNo })
    await sandbox.pay(wanted.outTradeNo)
    const paid = { kind: 'paid', tradeNo, amountFen: 1010, method: 'alipay' }
    expect(await gateway().query(wanted)).toEqual(paid)
    expect(await gateway().query({ ...wanted, tradeNo })).toEqual(paid)
    expect((await gateway().query({ outTradeNo: 'R20260101120000nobody' })).kind).toBe('absent')
  })

  test('a reply about another payment never counts as paid', async () => {
    const [one, other] = [request(), request()]
    await gateway().create(one)
    const created = await gateway().create(other)
    await sandbox.pay(other.outTradeNo)
    const tradeNo = created.kind === 'created' ? created.tradeNo! : ''
    // Stock gateways ignore out_trade_no.
    expect(await gateway().query({ outTradeNo: one.outTradeNo, tradeNo })).toEqual({
      kind: 'unknown',
      reason: 'reply about another payment',
    })
  })

  test('a page, or no answer in time, leaves it open', async () => {
    const wanted = request()
    await gateway().create(wanted)
    sandbox.faults.query = 'html'
    expect((await gateway().query(wanted)).kind).toBe('unknown')
    sandbox.faults.query = 'slow'
    expect(await gateway().query(wanted, { timeoutMs: 50 })).toEqual({ kind: 'unknown', reason: 'time-out' })
  })
})
