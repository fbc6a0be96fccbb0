/**
 * Processes that die at the worst moment, killed for good. Whatever the moment, an order ends paid and running, or unpaid,
 * or given back: never charged without a server, never a server without a charge.
 */
import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks, openBooks } from '../setup/books.js'
import { signUp, waitFor, type Customer } from '../setup/customer.js'
import { startProduct, type Product } from '../setup/product.js'

let product: Product
let books: pg.Client
let customer: Customer

beforeAll(async () => {
  product = await startProduct({ env: { SIMULATED_INSTALL_MS: '1500' } })
  books = await openBooks(product)
  customer = await signUp(product)
  await customer.recharge(2000)
})

afterAll(async () => {
  await books.end()
  await product.stop()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
})

/** Kills one of the starter's programs; the starter brings it back. */
function killProgram(name: 'api' | 'agent'): void {
  const marks = JSON.parse(fs.readFileSync(path.join(product.dataDir, 'children.json'), 'utf8')) as { pid: number }[]
  const found = marks.find(({ pid }) => readCommand(pid).includes(`packages/${name}/dist/main.js`))
  if (!found) throw new Error(`no ${name} is running`)
  process.kill(found.pid, 'SIGKILL')
}

function readCommand(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function isRunning(id: string): Promise<boolean> {
  return (await customer.readOrder(id)).status === 'ACTIVE'
}

// Delays over the whole length of a pay: before it arrives, inside its transaction, after its commit.
test.each([0, 4, 8, 15, 30])(
  'the API killed %i ms into a pay leaves the order unpaid or brings it up',
  async (delayMs) => {
    const order = await customer.placeOrder()
    const pay = () => customer.call('POST', `/orders/${order.id}/pay`, {}, { 'idempotency-key': `kill-${order.id}` })
    const answered = pay().then(
      (reply) => reply.status,
      () => 'cut off' as const,
    )
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    killProgram('api')
    await answered
    await waitFor(async () => (await fetch(`${product.url}/readyz`)).ok, 'the API to come back')

    // Whoever got no answer asks again, with the same key: charged at most once.
    const again = await pay()
    expect([200, 409]).toContain(again.status)
    await waitFor(() => isRunning(order.id), 'the order to be running')
    const { rows } = await books.query('select amount_fen from ledger_entries where order_id = $1', [order.id])
    expect(rows).toHaveLength(1)
    expect(await auditBooks(books)).toEqual([])
  },
)

test.each([100, 600, 1200])('the agent killed %i ms into an install finishes it after its restart', async (delayMs) => {
  const order = await customer.placeOrder()
  await customer.call('POST', `/orders/${order.id}/pay`, {})
  await waitFor(async () => (await customer.readOrder(order.id)).status === 'PROCESSING', 'the install to begin')
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  killProgram('agent')
  await waitFor(() => isRunning(order.id), 'the order to be running')
  const { rows } = await books.query(
    'select count(*)::int as servers from placements where server_id = (select server_id from orders where id = $1)',
    [order.id],
  )
  expect(rows).toEqual([{ servers: 1 }])
  expect(await auditBooks(books)).toEqual([])
})
