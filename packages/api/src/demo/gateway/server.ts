/**
 * The sandbox gateway: speaks epay V1 over HTTP as the stock gateway does, habits included, and has a page where one pays
 * by a click. A program of its own, so that the shop meets it as it would meet a real one: by address, with a key.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseFields, type Fields } from '../../payments/epay/fields.js'
import { isSigned } from '../../payments/epay/sign.js'
import { faults as faultsSchema, type Faults } from './faults.js'
import { notifyMerchant, noticeOf } from './notify.js'
import { openOrders, type SandboxOrder } from './orders.js'
import { messagePage, methods, paidPage, payPage } from './pages.js'

export type SandboxOptions = {
  pid: string
  key: string
  host?: string
  port?: number
  /** Where browsers reach it; default: where it listens. */
  publicUrl?: string
  /** Keeps orders over a restart; without it they live in memory. */
  dataDir?: string
  now?: () => number
}

export type SandboxGateway = {
  url: string
  /** Set any of them to make it misbehave. */
  faults: Faults
  /** Pays as the click does, and tells the merchant. */
  pay(outTradeNo: string): Promise<void>
  stop(): Promise<void>
}

type Reply = { status?: number; type?: string; body: string; location?: string }
type Call = {
  method: string
  url: URL
  fields: Fields
  rawBody: string
  fromHere: boolean
  response: http.ServerResponse
}

const unknownMethod = '支付方式不存在'
const badSignature = '签名校验失败'
const maxBodyBytes = 64 * 1024
const lookForRetriesMs = 1_000
const html = 'text/html; charset=utf-8'
const json = 'application/json; charset=utf-8'

export async function startSandboxGateway(options: SandboxOptions): Promise<SandboxGateway> {
  const now = options.now ?? Date.now
  const orders = openOrders(options.dataDir)
  const faults = faultsSchema.parse({})
  const stopping = new AbortController()
  const merchant = { pid: options.pid, key: options.key }
  const publicUrl = () => options.publicUrl?.replace(/\/+$/, '') ?? ownUrl()

  const server = http.createServer((request, response) => {
    void answer(request, response)
  })
  server.requestTimeout = 20_000
  server.headersTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const ownUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const timer = setInterval(() => void retryNotifies(), lookForRetriesMs)

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      const reply = await route(await readCall(request, response))
      if (!reply) return void response.destroy()
      response.writeHead(reply.status ?? 200, {
        'content-type': reply.type ?? html,
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        ...(reply.location && { location: reply.location }),
      })
      response.end(reply.body)
    } catch (error) {
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(error instanceof TooMuch ? '请求过大' : '请求格式错误')
    }
  }

  async function route(call: Call): Promise<Reply | null> {
    const [, first = '', tradeNo = '', act = ''] = call.url.pathname.split('/')
    switch (first) {
      case 'mapi.php':
        return call.method === 'POST' ? createByMerchant(call.fields) : notFound()
      case 'submit.php':
        return createByBrowser(call.fields)
      case 'api.php':
        return queryOrder(call.fields)
      case 'pay':
        return act === 'confirm' && call.method === 'POST' ? confirmPayment(tradeNo) : showPayment(tradeNo)
      case 'sandbox':
        return call.fromHere && tradeNo === 'faults' ? setFaults(call) : notFound()
      case 'readyz':
        return { type: 'text/plain', body: 'ok' }
      case '':
        return { body: messagePage('支付沙箱', '这是演示用的支付网关，请从商户页面发起支付。') }
      default:
        return notFound()
    }
  }

  async function createByMerchant(fields: Fields): Promise<Reply | null> {
    if (faults.create === 'html') return { body: '<br />\n<b>Fatal error</b>: Uncaught Error' }
    if (faults.create === 'refuse') return jsonReply({ code: -2, msg: '支付通道维护中' })
    const made = takeOrder(fields)
    // A stock gateway answers an unknown method by a page, whoever asks.
    if (made === unknownMethod) return { body: messagePage('错误', made) }
    if (typeof made === 'string') return jsonReply({ code: made === badSignature ? -3 : -1, msg: made })
    if (faults.create === 'lost') return null
    if (faults.create === 'slow') await pause(faults.slowMs)
    const address = `${faults.create === 'relative' ? '' : publicUrl()}/pay/${made.tradeNo}`
    const draw =
      faults.reply === 'qrcode' || (faults.reply === 'auto' && made.type === 'wxpay' && canBeScanned(publicUrl()))
    const body = JSON.stringify({ code: 1, trade_no: made.tradeNo, [draw ? 'qrcode' : 'payurl']: address })
    return { type: json, body: faults.create === 'half' ? body.slice(0, body.length / 2) : body }
  }

  function createByBrowser(fields: Fields): Reply {
    const made = takeOrder(fields)
    if (typeof made === 'string') return { body: messagePage('错误', made) }
    return { status: 302, location: `${publicUrl()}/pay/${made.tradeNo}`, body: '' }
  }

  /** A new order, or the same one for the same values; otherwise the sentence that says why not. */
  function takeOrder(fields: Fields): SandboxOrder | string {
    const value = (name: string) => fields.get(name) ?? ''
    if (value('pid') !== options.pid) return '商户不存在'
    if (!isSigned(fields, options.key)) return badSignature
    if (!/^[A-Za-z0-9._|-]+$/.test(value('out_trade_no'))) return '订单号格式不正确'
    if (!/^[0-9.]+$/.test(value('money')) || !(Number(value('money')) > 0)) return '金额不合法'
    const type = value('type') || 'alipay'
    if (!methods.includes(type)) return unknownMethod
    if (!/^https?:\/\//.test(value('notify_url'))) return '通知地址不能为空'
    const given = {
      outTradeNo: value('out_trade_no'),
      type,
      name: value('name'),
      money: Number(value('money')).toFixed(2),
      notifyUrl: value('notify_url'),
      returnUrl: value('return_url'),
    }
    const known = orders.byOutTradeNo(given.outTradeNo)
    if (!known) return orders.add({ ...given, createdAt: now() })
    if (known.paidAt !== null) return '该订单已支付'
    return known.money === given.money && known.type === given.type ? known : '订单号重复，参数不一致'
  }

  async function queryOrder(fields: Fields): Promise<Reply> {
    if (faults.query === 'html') return { body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }
    if (faults.query === 'slow') await pause(faults.slowMs)
    if (fields.get('act') !== 'order') return jsonReply({ code: -5, msg: 'No Act!' })
    if (fields.get('pid') !== options.pid || fields.get('key') !== options.key)
      return jsonReply({ code: -3, msg: '商户密钥错误' })
    const tradeNo = fields.get('trade_no')
    const order = tradeNo ? orders.byTradeNo(tradeNo) : orders.byOutTradeNo(fields.get('out_trade_no') ?? '')
    if (!order || faults.query === 'absent') return jsonReply({ code: -1, msg: '订单号不存在' })
    return jsonReply({
      code: 1,
      msg: '查询订单号成功！',
      trade_no: order.tradeNo,
      out_trade_no: order.outTradeNo,
      type: order.type,
      pid: options.pid,
      addtime: chinaTime(order.createdAt),
      endtime: order.paidAt ? chinaTime(order.paidAt) : null,
      name: order.name,
      money: faults.query === 'other-amount' ? '0.01' : order.money,
      status: order.paidAt && faults.query !== 'unpaid' ? 1 : 0,
    })
  }

  function showPayment(tradeNo: string): Reply {
    const order = orders.byTradeNo(tradeNo)
    if (!order) return notFound()
    return { body: order.paidAt ? paidPage(order, backUrl(order)) : payPage(order) }
  }

  /** The merchant hears of it first, so that whoever comes back finds the balance credited. */
  async function confirmPayment(tradeNo: string): Promise<Reply> {
    const order = orders.byTradeNo(tradeNo)
    if (!order) return notFound()
    await markPaid(order)
    return { status: 303, location: order.returnUrl ? backUrl(order) : `${publicUrl()}/pay/${tradeNo}`, body: '' }
  }

  async function markPaid(order: SandboxOrder): Promise<void> {
    if (order.paidAt !== null) return
    order.paidAt = now()
    // A process that is killed before the merchant answered tells it after the restart.
    order.nextNotifyAt = faults.notify === 'drop' ? null : now() + 5_000
    orders.save()
    if (faults.notify === 'drop') return
    const notice = noticeOf(order, merchant)
    const times = faults.notify === 'forty' ? 40 : 1
    await Promise.all(Array.from({ length: times }, () => notifyMerchant(order, notice, now)))
    orders.save()
  }

  async function retryNotifies(): Promise<void> {
    if (stopping.signal.aborted) return
    const due = [...orders.all()]
      .filter((order) => order.nextNotifyAt !== null && order.nextNotifyAt <= now())
      .slice(0, 20)
    for (const order of due) {
      // Told once at a time: the next try is noted before this one begins.
      order.nextNotifyAt = now() + 60_000
      await notifyMerchant(order, noticeOf(order, merchant), now)
    }
    if (due.length > 0) orders.save()
  }

  function backUrl(order: SandboxOrder): string {
    const glue = order.returnUrl.includes('?') ? '&' : '?'
    return `${order.returnUrl}${glue}${noticeOf(order, merchant).toString()}`
  }

  function setFaults(call: Call): Reply {
    if (call.method === 'POST') Object.assign(faults, faultsSchema.parse(JSON.parse(call.rawBody || '{}')))
    return jsonReply(faults)
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, ms)
      stopping.signal.addEventListener('abort', () => {
        clearTimeout(timeout)
        resolve()
      })
    })
  }

  return {
    url: ownUrl(),
    faults,
    async pay(outTradeNo) {
      const order = orders.byOutTradeNo(outTradeNo)
      if (!order) throw new Error(`the sandbox knows no order ${outTradeNo}`)
      await markPaid(order)
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

class TooMuch extends Error {}

async function readCall(request: http.IncomingMessage, response: http.ServerResponse): Promise<Call> {
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new TooMuch()
    chunks.push(chunk)
  }
  const rawBody = Buffer.concat(chunks).toString('utf8')
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const fields = parseFields(isForm ? rawBody : url.search.slice(1))
  if (!fields) throw new Error('malformed fields')
  const address = request.socket.remoteAddress ?? ''
  const fromHere = /^(127\.|::1$|::ffff:127\.)/.test(address) && !request.headers['x-forwarded-for']
  return { method: request.method ?? 'GET', url, fields, rawBody, fromHere, response }
}

/** Whether a phone could open the address at all. */
function canBeScanned(url: string): boolean {
  return !/^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)
}

function chinaTime(ms: number): string {
  return new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

function jsonReply(body: object): Reply {
  return { type: json, body: JSON.stringify(body) }
}

function notFound(): Reply {
  return { status: 404, body: messagePage('页面不存在', '没有找到这笔支付。') }
}
