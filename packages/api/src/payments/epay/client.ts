import assert from 'node:assert'
import type { Network } from '@vps/shared/networks'
import {
  notAcceptedReason,
  unclear,
  type Created,
  type Gateway,
  type PaymentRequest,
  type Queried,
} from '../../gateway.js'
import { callGateway } from './http.js'
import { formatFen, parseMoney } from './money.js'
import { readNotify } from './notify.js'
import { withSignature } from './sign.js'

type Merchant = { url: string; pid: string; key: string; confirm: Gateway['confirm']; allowed: readonly Network[] }

const createMs = 10_000
const queryMs = 5_000
const devices = ['pc', 'mobile', 'qq', 'wechat', 'alipay', 'jump']
const appSchemes = ['weixin:', 'alipays:', 'alipay:', 'mqqapi:']

/** Epay (易支付) V1. Facts and traps: `docs/money.md`. */
export function epayGateway(merchant: Merchant): Gateway {
  assert(merchant.pid !== '' && merchant.key !== '', 'epay needs a merchant id and a key')
  const base = baseUrl(merchant.url)
  return {
    // Without its port: the sandbox has another at each start.
    merchant: `${merchant.pid}@${base.hostname}${base.pathname.replace(/\/$/, '')}`,
    confirm: merchant.confirm,
    create: (request) => createPayment(base, merchant, request),
    query: (payment, limits) => queryPayment(base, merchant, payment, limits?.timeoutMs ?? queryMs),
    verifyNotify: (raw) => readNotify(raw, merchant),
  }
}

async function createPayment(base: URL, { pid, key, allowed }: Merchant, request: PaymentRequest): Promise<Created> {
  refuseSmuggling(request)
  const fields = new Map([
    ['pid', pid],
    ['type', request.method],
    ['out_trade_no', request.outTradeNo],
    ['notify_url', request.notifyUrl],
    ['return_url', request.returnUrl],
    ['name', request.subject],
    ['money', formatFen(request.amountFen)],
    ['clientip', request.clientIp],
    ['device', devices.includes(request.device) ? request.device : 'pc'],
  ])
  const form = new URLSearchParams([...withSignature(fields, key)])
  const reply = await callGateway({ url: new URL('mapi.php', base), form, timeoutMs: createMs, allowed })
  if (reply.kind === 'unknown') return reply
  const { body } = reply
  if (text(body['code']) === '') return { kind: 'unknown', reason: 'reply without a code' }
  if (text(body['code']) !== '1') return { kind: 'refused', message: readMessage(body) }
  const echoed = text(body['out_trade_no'] ?? body['outTradeNo'])
  if (echoed !== '' && echoed !== request.outTradeNo) return { kind: 'unknown', reason: unclear.another }
  const qrCode = readAddress(body['qrcode'] ?? body['qrCode'], base)
  const payUrl = readAddress(body['payurl'] ?? body['payUrl'] ?? body['urlscheme'], base)
  if (!qrCode && !payUrl) return { kind: 'unknown', reason: 'reply without an address to pay at' }
  const tradeNo = text(body['trade_no'] ?? body['tradeNo']) || null
  // A payUrl is opened, a qrCode drawn: whichever suits the device.
  const draw = qrCode !== null && (payUrl === null || request.device === 'pc')
  return { kind: 'created', tradeNo, qrCode: draw ? qrCode : null, payUrl: draw ? null : payUrl }
}

/** Of who asks, not of the payment. */
const notAccepted = '-3'

async function queryPayment(
  base: URL,
  { pid, key, allowed }: Merchant,
  payment: { outTradeNo: string; tradeNo?: string | undefined },
  timeoutMs: number,
): Promise<Queried> {
  const url = new URL('api.php', base)
  url.search = new URLSearchParams({
    act: 'order',
    pid,
    key,
    ...(payment.tradeNo && { trade_no: payment.tradeNo }),
    out_trade_no: payment.outTradeNo,
  }).toString()
  const reply = await callGateway({ url, timeoutMs, allowed })
  if (reply.kind === 'unknown') return reply
  if (text(reply.body['code']) === '') return { kind: 'unknown', reason: 'reply without a code' }
  if (text(reply.body['code']) === notAccepted) return { kind: 'unknown', reason: notAcceptedReason }
  if (text(reply.body['code']) !== '1') return { kind: 'absent', message: readMessage(reply.body) }
  return readOrder(reply.body, pid, payment)
}

/** All numbers before the status: given `trade_no`, stock gateways ignore `out_trade_no`. */
function readOrder(
  body: Record<string, unknown>,
  pid: string,
  payment: { outTradeNo: string; tradeNo?: string | undefined },
): Queried {
  // Nested: the outer `status` means only "found".
  const order = text(body['out_trade_no']) === '' && isRecord(body['data']) ? body['data'] : body
  const tradeNo = text(order['trade_no'])
  const ours = text(order['pid']) === pid && text(order['out_trade_no']) === payment.outTradeNo
  if (!ours || (payment.tradeNo && tradeNo !== payment.tradeNo)) return { kind: 'unknown', reason: unclear.another }
  const tradeStatus = text(order['trade_status'])
  switch (text(order['status'])) {
    case '1': {
      if (tradeStatus !== '' && tradeStatus !== 'TRADE_SUCCESS')
        return { kind: 'unknown', reason: unclear.contradiction }
      const amountFen = parseMoney(text(order['money']))
      if (amountFen === null || tradeNo === '') return { kind: 'unknown', reason: unclear.amount }
      return { kind: 'paid', tradeNo, amountFen, method: text(order['type']) || null }
    }
    case '0':
    case '4':
      return { kind: 'unpaid', tradeNo: tradeNo || null }
    case '2':
    case '3':
      return { kind: 'reversed', tradeNo: tradeNo || null }
    default:
      return { kind: 'unknown', reason: unclear.status }
  }
}

/** A field within a field could pass for a paid notify's signature. */
function refuseSmuggling(request: PaymentRequest): void {
  assert(/^[A-Za-z0-9._-]{16,64}$/.test(request.outTradeNo), 'out_trade_no is random and plain')
  assert(!/[&=?]/.test(request.notifyUrl), 'the notify address carries no query')
  assert(!/[&=]/.test(request.subject) && request.subject.trim() !== '', 'the subject is fixed and plain')
  assert(!request.returnUrl.includes('&'), 'the return address carries one field at most')
}

/** The folder of `mapi.php`; operators often paste a script's address. */
function baseUrl(address: string): URL {
  const url = new URL(address)
  assert(url.protocol === 'https:' || url.protocol === 'http:', 'EPAY_URL begins with https:// or http://')
  url.pathname = `${url.pathname.replace(/(submit|mapi|api)\.php$/, '').replace(/\/+$/, '')}/`
  url.search = ''
  url.hash = ''
  return url
}

/** Never a script; plain http only from a plain gateway. */
function readAddress(value: unknown, base: URL): string | null {
  const address = text(value)
  if (address === '' || address.length > 2_000) return null
  const absolute = /^\/(?!\/)/.test(address) ? new URL(address, base.origin).toString() : address
  if (!URL.canParse(absolute)) return null
  const { protocol } = new URL(absolute)
  const allowed = ['https:', ...appSchemes, ...(base.protocol === 'http:' ? ['http:'] : [])]
  return allowed.includes(protocol) ? absolute : null
}

function readMessage(body: Record<string, unknown>): string {
  const message = text(body['msg'])
    .replaceAll(/[\p{Cc}<>]/gu, ' ')
    .trim()
  return message.slice(0, 200) || '支付网关拒绝了请求'
}

/** As their PHP likes. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
