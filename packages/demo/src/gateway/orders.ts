import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Texts as they came: they are signed and repeated. */
export type SandboxOrder = {
  tradeNo: string
  outTradeNo: string
  type: string
  name: string
  money: string
  notifyUrl: string
  returnUrl: string
  createdAt: number
  paidAt: number | null
  /** Null once acknowledged or given up. */
  nextNotifyAt: number | null
  notifyTries: number
}

export type SandboxOrders = {
  byTradeNo(tradeNo: string): SandboxOrder | undefined
  byOutTradeNo(outTradeNo: string): SandboxOrder | undefined
  all(): Iterable<SandboxOrder>
  add(order: Omit<SandboxOrder, 'tradeNo' | 'paidAt' | 'nextNotifyAt' | 'notifyTries'>): SandboxOrder
  /** After changing an order. */
  save(): void
}

const kept = 2_000

/** With a folder they outlive a restart. */
export function openOrders(dataDir: string | undefined): SandboxOrders {
  const file = dataDir && path.join(dataDir, 'orders.json')
  const orders = new Map(readOrders(file).map((order) => [order.tradeNo, order]))
  const save = () => {
    if (!file) return
    fs.mkdirSync(path.dirname(file), { recursive: true })
    // A killed process leaves the old file whole.
    fs.writeFileSync(`${file}.new`, JSON.stringify([...orders.values()].slice(-kept)), { mode: 0o600 })
    fs.renameSync(`${file}.new`, file)
  }
  return {
    byTradeNo: (tradeNo) => orders.get(tradeNo),
    byOutTradeNo: (outTradeNo) => [...orders.values()].findLast((order) => order.outTradeNo === outTradeNo),
    all: () => orders.values(),
    add(given) {
      const order: SandboxOrder = {
        ...given,
        tradeNo: createTradeNo(given.createdAt),
        paidAt: null,
        nextNotifyAt: null,
        notifyTries: 0,
      }
      orders.set(order.tradeNo, order)
      for (const oldest of [...orders.keys()].slice(0, -kept)) orders.delete(oldest)
      save()
      return order
    },
    save,
  }
}

/** Nineteen digits from China's time, as in real gateways. */
function createTradeNo(now: number): string {
  const china = new Date(now + 8 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `${china}${randomInt(10_000, 99_999)}`
}

function readOrders(file: string | undefined): SandboxOrder[] {
  return file && fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as SandboxOrder[]) : []
}
