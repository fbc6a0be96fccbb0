/** Whenever a process is killed, no order is charged without a server, nor a server without a charge. */
import fs from 'node:fs'
import path from 'node:path'
import type { PriceGroupView } from '@vps/shared/catalogue.contract'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFaults } from '../../packages/agent/src/hypervisor/simulated/faults.js'
import { auditBooks, openBooks } from '../setup/books.js'
import { signUp, waitFor, type Customer } from '../setup/customer.js'
import { makeDataDir, processesOf, readQuietly, startProduct, type Product } from '../setup/product.js'

let product: Product
let books: pg.Client
let customer: Customer

const dataDir = makeDataDir()
const faultsFile = path.join(dataDir, 'faults.json')

beforeAll(async () => {
  product = await startProduct({
    dataDir,
    env: { SIMULATED_INSTALL_MS: '1500', SIMULATED_POWER_MS: '300', SIMULATED_FAULTS_FILE: faultsFile },
  })
  books = await openBooks(product)
  customer = await signUp(product)
  await customer.recharge(2000)
})

afterAll(async () => {
  await books.end()
  await product.stop()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
})

/** `demo` is the API with what only the demo has. Killed, the starter brings it back. */
function findProgram(name: 'demo' | 'agent'): number {
  const pid = processesOf(product.dataDir).find((one) =>
    readQuietly(`/proc/${one}/cmdline`).includes(`packages/${name}/dist/bundle/main.js`),
  )
  if (!pid) throw new Error(`no ${name} is running`)
  return pid
}

async function isRunning(id: string): Promise<boolean> {
  return (await customer.readOrder(id)).status === 'ACTIVE'
}

/** Also where its agent was quicker than the look: that the order is being set up passes. */
async function hasBegun(id: string): Promise<boolean> {
  const { rows } = await books.query(
    'select from jobs where attempt > 0 and server_id = (select server_id from orders where id = $1)',
    [id],
  )
  return rows.length > 0
}

test.each([0, 4, 8, 15, 30])(
  'the API killed %i ms into a pay leaves the order unpaid or brings it up',
  async (delayMs) => {
    const order = await customer.placeOrder()
    const api = findProgram('demo')
    const pay = () => customer.call('POST', `/orders/${order.id}/pay`, {}, { 'idempotency-key': `kill-${order.id}` })
    const answered = pay().then(
      (reply) => reply.status,
      () => 'cut off' as const,
    )
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    process.kill(api, 'SIGKILL')
    await answered
    await waitFor(async () => (await fetch(`${product.url}/readyz`)).ok, 'the API to come back')

    // Asked again with the same key: charged at most once.
    const again = await pay()
    expect([200, 409]).toContain(again.status)
    await waitFor(() => isRunning(order.id), 'the order to be running')
    const { rows } = await books.query('select amount_fen from ledger_entries where order_id = $1', [order.id])
    expect(rows).toHaveLength(1)
    expect(await auditBooks(books)).toEqual([])
  },
)

test.each([4, 10, 20])(
  'the API killed %i ms into a pay of three servers leaves all unpaid or brings all up',
  async (delayMs) => {
    const { id, orders = [] } = await customer.placeOrder({ quantity: 3 })
    const pay = () => customer.call('POST', `/orders/${id}/pay`, {}, { 'idempotency-key': `kill-three-${id}` })
    const answered = pay().catch(() => 'cut off' as const)
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    process.kill(findProgram('demo'), 'SIGKILL')
    await answered
    await waitFor(async () => (await fetch(`${product.url}/readyz`)).ok, 'the API to come back')
    const { rows } = await books.query('select count(*)::int as entries from ledger_entries where order_id = any($1)', [
      orders.map((order) => order.id),
    ])
    expect([[{ entries: 0 }], [{ entries: 3 }]]).toContainEqual(rows)
    expect([200, 409]).toContain((await pay()).status)
    for (const order of orders) await waitFor(() => isRunning(order.id), 'each order to be running')
    expect(await auditBooks(books)).toEqual([])
  },
)

test.each([100, 600, 1200])('the agent killed %i ms into an install finishes it after its restart', async (delayMs) => {
  const order = await customer.placeOrder()
  await customer.call('POST', `/orders/${order.id}/pay`, {})
  await waitFor(() => hasBegun(order.id), 'the install to begin')
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  process.kill(findProgram('agent'), 'SIGKILL')
  await waitFor(() => isRunning(order.id), 'the order to be running')
  const { rows } = await books.query(
    'select count(*)::int as servers from placements where server_id = (select server_id from orders where id = $1)',
    [order.id],
  )
  expect(rows).toEqual([{ servers: 1 }])
  expect(await auditBooks(books)).toEqual([])
})

test('an agent killed in the middle of a resize that then fails for good: the money is back, and so is the machine', async () => {
  const offers = (await customer.call<PriceGroupView[]>('GET', '/price-groups/active')).body.data
  const free = offers.find((offer) => offer.available && !offer.locked && offer.monthlyPrice > 0)!
  const { id } = await customer.placeOrder({ priceGroupId: free.id, ...free.included })
  await customer.call('POST', `/orders/${id}/pay`, {})
  await waitFor(() => isRunning(id), 'the order to be running')
  const order = await customer.readOrder(id)
  const serverId = order.serverId!
  const before = { balance: await customer.balance(), machine: machineOf(serverId) }
  // Killed with its new size; then neither start, nor the undo of one, works for two tries.
  writeFaults(faultsFile, [
    { verb: 'resize', kind: 'killAfter', serverId },
    { verb: 'start', kind: 'fail', times: 4, serverId },
  ])
  const asked = await customer.call<{ jobId: string }>('POST', `/orders/${id}/upgrade`, {
    cpuCores: order.cpuCores + 1,
  })
  expect(asked.status).toBe(200)
  const sizes = new Set<number>()
  const failed = async () => {
    sizes.add(machineOf(serverId).cpuCores)
    const { body } = await customer.call<{ status: string }>('GET', `/jobs/${asked.body.data.jobId}`)
    return body.data.status === 'FAILED'
  }
  await waitFor(failed, 'the upgrade to fail for good')
  expect(sizes).toContain(order.cpuCores + 1)
  await waitFor(async () => (await customer.balance()) === before.balance, 'the charge to come back')
  await waitFor(async () => machineOf(serverId).on && machineOf(serverId).cpuCores === order.cpuCores, 'the old size')
  // It was the larger one until then: the next timer may ask for the old size before anybody can look.
  const { rows } = await books.query(
    `select action from audit_log where action = 'server.resize-back' and subject_id = $1`,
    [serverId],
  )
  expect(rows).toHaveLength(1)
  expect(machineOf(serverId)).toMatchObject(before.machine)
  expect(await customer.readOrder(id)).toMatchObject({ status: 'ACTIVE', cpuCores: order.cpuCores })
  await waitFor(async () => (await auditBooks(books)).length === 0, 'the books to be right')
})

type Machine = { cpuCores: number; memoryMb: number; on: boolean }

/** What the simulated host really has, past every report. */
function machineOf(serverId: string): Machine {
  const file = path.join(dataDir, 'agent', 'simulated-host.json')
  const { domains } = JSON.parse(fs.readFileSync(file, 'utf8')) as { domains: Record<string, Machine> }
  const { cpuCores, memoryMb, on } = domains[serverId]!
  return { cpuCores, memoryMb, on }
}
