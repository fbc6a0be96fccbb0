import fs from 'node:fs'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auditBooks, openBooks } from '../setup/books.js'
import { signUp, waitFor, type Customer } from '../setup/customer.js'
import { startProduct, type Product } from '../setup/product.js'

let product: Product
let books: pg.Client
let customer: Customer

beforeAll(async () => {
  product = await startProduct()
  books = await openBooks(product)
  customer = await signUp(product)
})
afterEach(async () => {
  await misbehave({})
  expect(await auditBooks(books)).toEqual([])
})
afterAll(async () => {
  await books.end()
  await product.stop()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
})

/** What is not named is normal again. */
async function misbehave(faults: Record<string, unknown>): Promise<void> {
  const reply = await fetch(`${product.gatewayUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify(faults) })
  expect(reply.status).toBe(200)
}

async function startRecharge(yuan: number): Promise<{ payUrl: string; outTradeNo: string }> {
  const { status, body } = await customer.call('POST', '/payment/create', { money: yuan, type: 'alipay', device: 'pc' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    success: true,
    code: 1,
    qrCode: null,
    payUrl: expect.stringContaining(product.gatewayUrl),
  })
  return { payUrl: body['payUrl'] as string, outTradeNo: body['outTradeNo'] as string }
}

const click = (payUrl: string) => fetch(`${payUrl}/confirm`, { method: 'POST', redirect: 'manual' })

test('a click in the gateway credits the balance and leads back to the result', async () => {
  const before = await customer.balance()
  const { payUrl, outTradeNo } = await startRecharge(200)
  const sentBack = await click(payUrl)
  expect(sentBack.headers.get('location')).toContain(`${product.url}/payment/success?order=${outTradeNo}`)
  await waitFor(async () => (await customer.balance()) === before + 200, 'the balance')
  const { body } = await customer.call('GET', `/payment/order/${outTradeNo}`)
  expect(body).toMatchObject({ success: true, status: 'SUCCESS', data: { status: 'SUCCESS', money: 200, outTradeNo } })
})

test('forty notifies at the same moment credit once', async () => {
  await misbehave({ notify: 'forty' })
  const before = await customer.balance()
  const { payUrl } = await startRecharge(12.34)
  await click(payUrl)
  await waitFor(async () => (await customer.balance()) !== before, 'the balance')
  expect(await customer.balance()).toBeCloseTo(before + 12.34, 2)
})

test('a payment whose notify never came is found by asking', async () => {
  await misbehave({ notify: 'drop' })
  const before = await customer.balance()
  const { payUrl, outTradeNo } = await startRecharge(10)
  await click(payUrl)
  const { body } = await customer.call('GET', `/payment/order/${outTradeNo}`)
  expect(body).toMatchObject({ status: 'SUCCESS' })
  expect(await customer.balance()).toBe(before + 10)
})

test('a notify with a right signature but another amount at the gateway credits nothing', async () => {
  const before = await customer.balance()
  const { payUrl, outTradeNo } = await startRecharge(50)
  await misbehave({ query: 'other-amount' })
  await click(payUrl)
  const { body } = await customer.call('GET', `/payment/order/${outTradeNo}`)
  expect(body['status']).not.toBe('SUCCESS')
  expect(await customer.balance()).toBe(before)
})

test('a forged notify credits nothing and is not acknowledged', async () => {
  const { outTradeNo } = await startRecharge(50)
  const forged = new URLSearchParams({
    pid: '1001',
    trade_no: '1',
    out_trade_no: outTradeNo,
    type: 'alipay',
    name: 'x',
    money: '50',
    trade_status: 'TRADE_SUCCESS',
    sign: '0'.repeat(32),
    sign_type: 'MD5',
  })
  const reply = await fetch(`${product.url}/api/payment/notify?${forged.toString()}`)
  expect(await reply.text()).not.toMatch(/success|ok/i)
  const { body } = await customer.call('GET', `/payment/order/${outTradeNo}`)
  expect(body['status']).toBe('PENDING')
})

test('a gateway that is down is a clear refusal or a payment to be asked for again, never a credit', async () => {
  await misbehave({ create: 'refuse' })
  const { body } = await customer.call('POST', '/payment/create', { money: 5, type: 'alipay', device: 'pc' })
  expect(body['message']).toBeTruthy()
  expect(body).toMatchObject({ success: false })
})
