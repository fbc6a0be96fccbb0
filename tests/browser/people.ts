import { randomBytes } from 'node:crypto'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { signIn, signUp, type Customer } from '../setup/customer.js'
import type { Product } from '../setup/product.js'

/** What the global set-up started. */
export const product = {
  url: process.env['PRODUCT_URL'] ?? '',
  gatewayUrl: process.env['GATEWAY_URL'] ?? '',
} as Product

/** Signs somebody in without the screen: for stories that are about something else. */
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
export const demoCustomer = () => signIn(product, 'demo', 'Demo-user-1')

/** Registers through the screen. */
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
