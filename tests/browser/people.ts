import { randomBytes } from 'node:crypto'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { writeFaults, type Fault } from '../../packages/agent/src/hypervisor/simulated/faults.js'
import { faultsFileIn } from '../setup/browser.js'
import { signIn, signUp, waitFor, type Customer } from '../setup/customer.js'
import type { PriceGroupView } from '@vps/shared/catalogue.contract'
import type { OrderView } from '@vps/shared/orders.contract'
import type { Product } from '../setup/product.js'

/** The running spec file's (`test.ts` fills it in). */
export const product = {} as Product

/** On every host, until the next. */
export const playFaults = (faults: Fault[]) => writeFaults(faultsFileIn(product.dataDir), faults)

/** Every host fails at `verb`. */
export async function whileHostsFail(verb: string, act: () => Promise<void>): Promise<void> {
  playFaults([{ verb, kind: 'fail', times: 1_000 }])
  try {
    await act()
  } finally {
    playFaults([])
  }
}

/** Signs in without the screen. */
export async function enterAs(context: BrowserContext, customer: Customer): Promise<void> {
  const { body } = await customer.call('GET', '/auth/profile')
  await context.addInitScript(
    ({ token, user }) => {
      // Once: a story that signs out stays signed out.
      if (sessionStorage.getItem('entered')) return
      sessionStorage.setItem('entered', '1')
      localStorage.setItem('token', token)
      localStorage.setItem('user', user)
    },
    { token: customer.token, user: JSON.stringify(body) },
  )
}

export const newCustomer = () => signUp(product)
/** One session per file, since sign-ins are counted. */
export const demoAdmin = () => (admin ??= signIn(product, 'admin', 'Admin-demo-1'))
let admin: Promise<Customer> | undefined
export const demoCustomer = () => signIn(product, 'demo', 'Demo-user-1')

export async function registerOnScreen(page: Page): Promise<string> {
  const username = `b${randomBytes(6).toString('hex')}`
  await page.goto('/auth')
  await page.getByRole('button', { name: '立即注册' }).click()
  await page.getByLabel('用户名').fill(username)
  await page.getByLabel('邮箱').fill(`${username}@example.com`)
  await page.getByLabel('密码', { exact: true }).fill('Geheim-123')
  await page.getByLabel('确认密码').fill('Geheim-123')
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  return username
}

/** Monthly, unpaid. */
export async function orderFor(customer: Customer, name: string, changes: Record<string, unknown> = {}) {
  const { body } = await customer.call<PriceGroupView[]>('GET', '/price-groups/active')
  const offer = body.data.find((candidate) => candidate.name === name)
  if (!offer) throw new Error(`the shop does not sell ${name}`)
  return customer.placeOrder({ priceGroupId: offer.id, ...offer.included, ...changes })
}

/** Waits for the server to be ready. */
export async function payFor(customer: Customer, order: OrderView): Promise<OrderView> {
  const paid = await customer.call('POST', `/orders/${order.id}/pay`)
  if (paid.status !== 200) throw new Error(`not paid: ${JSON.stringify(paid.body)}`)
  await waitFor(async () => (await customer.readOrder(order.id)).status === 'ACTIVE', 'the server to be ready')
  return customer.readOrder(order.id)
}
