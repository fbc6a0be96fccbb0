import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fields } from '@vps/api/payments/epay/fields'
import { faults as faultsSchema } from './faults.js'
import type { SandboxOrder } from './orders.js'
import { messagePage, paidPage, payPage } from './pages.js'
import { backUrl, badSignature, payOrder, takeOrder, unknownMethod, type Sandbox } from './sandbox.js'
import type { Call, Reply } from './wire.js'

/** Has the stock gateway's habits; null hangs up. */
export async function route(sandbox: Sandbox, call: Call): Promise<Reply | null> {
  const [, first = '', second = '', act = ''] = call.url.pathname.split('/')
  switch (first) {
    case 'mapi.php':
      return call.method === 'POST' ? createByMerchant(sandbox, call.fields) : notFound()
    case 'submit.php':
      return createByBrowser(sandbox, call.fields)
    case 'api.php':
      return queryOrder(sandbox, call.fields)
    case 'pay': {
      const order = sandbox.orders.byTradeNo(second)
      if (!order) return notFound()
      return act === 'confirm' && call.method === 'POST' ? confirmPayment(sandbox, order) : showPayment(sandbox, order)
    }
    case 'sandbox':
      return call.fromHere && second === 'faults' ? setFaults(sandbox, call) : notFound()
    case 'readyz':
      return { type: 'text/plain', body: 'ok' }
    case '':
      return { body: messagePage('支付沙箱', '这是演示用的支付网关，请从商户页面发起支付。') }
    default:
      return notFound()
  }
}

async function createByMerchant(sandbox: Sandbox, fields: Fields): Promise<Reply | null> {
  const { faults, publicUrl, stopping } = sandbox
  if (faults.create === 'html') return { body: '<br />\n<b>Fatal error</b>: Uncaught Error' }
  if (faults.create === 'refuse') return jsonReply({ code: -2, msg: text.channelDown })
  const made = takeOrder(sandbox, fields)
  // As stock gateways do.
  if (made === unknownMethod) return { body: messagePage(labels.error, made) }
  if (typeof made === 'string') return jsonReply({ code: made === badSignature ? -3 : -1, msg: made })
  if (faults.create === 'lost') return null
  if (faults.create === 'slow') await pause(faults.slowMs, undefined, { signal: stopping })
  const address = `${faults.create === 'relative' ? '' : publicUrl()}/pay/${made.tradeNo}`
  const scannable = made.type === 'wxpay' && canBeScanned(publicUrl())
  const draw = faults.reply === 'qrcode' || (faults.reply === 'auto' && scannable)
  const reply = jsonReply({ code: 1, trade_no: made.tradeNo, [draw ? 'qrcode' : 'payurl']: address })
  return faults.create === 'half' ? { ...reply, body: reply.body.slice(0, reply.body.length / 2) } : reply
}

function createByBrowser(sandbox: Sandbox, fields: Fields): Reply {
  const made = takeOrder(sandbox, fields)
  if (typeof made === 'string') return { body: messagePage(labels.error, made) }
  return { status: 302, location: `${sandbox.publicUrl()}/pay/${made.tradeNo}`, body: '' }
}

async function queryOrder({ merchant, orders, faults, stopping }: Sandbox, fields: Fields): Promise<Reply> {
  if (faults.query === 'html') return { body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }
  if (faults.query === 'slow') await pause(faults.slowMs, undefined, { signal: stopping })
  if (fields.get('act') !== 'order') return jsonReply({ code: -5, msg: 'No Act!' })
  if (fields.get('pid') !== merchant.pid || fields.get('key') !== merchant.key) {
    return jsonReply({ code: -3, msg: '商户密钥错误' })
  }
  // As in stock gateways, trade_no wins.
  const tradeNo = fields.get('trade_no')
  const order = tradeNo ? orders.byTradeNo(tradeNo) : orders.byOutTradeNo(fields.get('out_trade_no') ?? '')
  if (!order || faults.query === 'absent') return jsonReply({ code: -1, msg: '订单号不存在' })
  return jsonReply({
    code: 1,
    msg: '查询订单号成功！',
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    type: order.type,
    pid: merchant.pid,
    addtime: chinaTime(order.createdAt),
    endtime: order.paidAt ? chinaTime(order.paidAt) : null,
    name: order.name,
    money: faults.query === 'other-amount' ? '0.01' : order.money,
    status: order.paidAt && faults.query !== 'unpaid' ? 1 : 0,
  })
}

function showPayment(sandbox: Sandbox, order: SandboxOrder): Reply {
  return { body: order.paidAt ? paidPage(order, backUrl(sandbox, order)) : payPage(order) }
}

/** The merchant first, so the payer finds the balance credited. */
async function confirmPayment(sandbox: Sandbox, order: SandboxOrder): Promise<Reply> {
  await payOrder(sandbox, order)
  const location = order.returnUrl ? backUrl(sandbox, order) : `${sandbox.publicUrl()}/pay/${order.tradeNo}`
  return { status: 303, location, body: '' }
}

/** What is not named is normal again. */
function setFaults({ faults }: Sandbox, call: Call): Reply {
  if (call.method === 'POST') Object.assign(faults, faultsSchema.parse(JSON.parse(call.rawBody || '{}')))
  return jsonReply(faults)
}

function canBeScanned(url: string): boolean {
  return !/^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)
}

function chinaTime(ms: number): string {
  return new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

function jsonReply(body: object): Reply {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function notFound(): Reply {
  return { status: 404, body: messagePage(text.noSuchPage, '没有找到这笔支付。') }
}
