import { randomBytes } from 'node:crypto'
import type { OrderView } from '@vps/shared/orders.contract'
import type { PriceGroupView } from '@vps/shared/catalogue.contract'
import type { Product } from './product.js'

export type Reply<T> = {
  status: number
  body: { success?: boolean; code?: string; message?: string; data: T } & Record<string, unknown>
}

/** Over REST, as a script would. */
export type Customer = {
  username: string
  password: string
  token: string
  call<T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<T>>
  /** By a click on the sandbox gateway. */
  recharge(yuan: number): Promise<void>
  balance(): Promise<number>
  /** Of the cheapest configuration; unpaid. */
  placeOrder(changes?: Record<string, unknown>): Promise<OrderView>
  readOrder(id: string): Promise<OrderView>
}

/** Ends what hangs; far more than a slow machine takes. */
export const timeoutMs = 60_000

/** From its own address behind the trusted proxy: registrations are limited by address. */
export async function signUp(product: Product): Promise<Customer> {
  const username = `u${randomBytes(6).toString('hex')}`
  const password = 'Geheim-123'
  const input = { username, password, email: `${username}@example.com` }
  const address = `10.${[...randomBytes(3)].join('.')}`
  const registered = await call<unknown>(product, null, 'POST', '/auth/register', input, { 'x-forwarded-for': address })
  if (registered.status !== 200 && registered.status !== 201)
    throw new Error(`registration failed: ${JSON.stringify(registered.body)}`)
  return customerOf(product, username, password, registered.body['token'] as string)
}

export async function signIn(product: Product, username: string, password: string): Promise<Customer> {
  const reply = await call<unknown>(product, null, 'POST', '/auth/login', { username, password })
  if (reply.status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(reply.body)}`)
  return customerOf(product, username, password, reply.body['token'] as string)
}

function customerOf(product: Product, username: string, password: string, token: string): Customer {
  const ask: Customer['call'] = (method, path, body, headers) => call(product, token, method, path, body, headers)
  return {
    username,
    password,
    token,
    call: ask,
    async recharge(yuan) {
      const created = await ask('POST', '/payment/create', { money: yuan, type: 'alipay', device: 'pc' })
      const payUrl = created.body['payUrl'] as string | null
      if (!payUrl) throw new Error(`no payment page: ${JSON.stringify(created.body)}`)
      const before = await this.balance()
      await fetch(`${payUrl}/confirm`, { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      await waitFor(async () => (await this.balance()) === before + yuan, `${yuan} yuan to arrive`)
    },
    balance: async () => (await ask<{ balance: number }>('GET', '/wallet')).body.data.balance,
    async placeOrder(changes = {}) {
      const offer = await cheapestOffer(product)
      const [system] = offer.osOptions
      const placed = await ask<OrderView>('POST', '/orders', {
        priceGroupId: offer.id,
        billingPeriod: 'MONTHLY',
        ...offer.included,
        osName: system?.name,
        osVersion: system?.versions.at(-1),
        initialPassword: 'Anfangs-1x',
        sshPort: 22022,
        autoRenewal: false,
        ...changes,
      })
      if (!placed.body.data) throw new Error(`no order: ${JSON.stringify(placed.body)}`)
      return placed.body.data
    },
    readOrder: async (id) => (await ask<OrderView>('GET', `/orders/${id}`)).body.data,
  }
}

/** A host may still be telling what it has. */
async function cheapestOffer(product: Product): Promise<PriceGroupView> {
  let cheapest: PriceGroupView | undefined
  await waitFor(async () => {
    const offers = (await call<PriceGroupView[]>(product, null, 'GET', '/price-groups/active')).body.data
    cheapest = offers
      .filter((offer) => offer.available && offer.monthlyPrice > 0)
      .toSorted((a, b) => a.monthlyPrice - b.monthlyPrice)[0]
    return cheapest !== undefined
  }, 'anything to be in stock')
  return cheapest!
}

async function call<T>(
  product: Product,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply<T>> {
  const reply = await fetch(`${product.url}/api${path}`, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'accept-language': 'zh-CN',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: (await reply.json()) as Reply<T>['body'] }
}

/** A failing look is "not yet": the API may be restarting. */
export async function waitFor(look: () => Promise<boolean>, what: string, limitMs = 120_000): Promise<void> {
  const deadline = Date.now() + limitMs
  let fault: unknown
  while (Date.now() < deadline) {
    try {
      if (await look()) return
    } catch (error) {
      fault = error
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`waited ${limitMs / 1000} s for ${what}`, { cause: fault })
}
