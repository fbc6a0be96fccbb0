import { loopback } from '@vps/shared/networks'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fen } from '@vps/shared/money'
import { epayGateway } from '@vps/api/payments/epay/client'
import { readNotify } from '@vps/api/payments/epay/notify'
import { startSandboxGateway, type SandboxGateway } from './server.js'

const credentials = { pid: '1001', key: 'a-key-of-the-merchant' }

/** A merchant's notify door. */
type Shop = {
  url: string
  told: string[]
  answer: { status: number; body: string }
  next(): Promise<string>
  stop(): Promise<void>
}
let shop: Shop
let sandbox: SandboxGateway
let dataDir: string
let clock: number

beforeEach(async () => {
  shop = await openShop()
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'vps-sandbox-'))
  clock = Date.parse('2026-01-01T00:00:00Z')
  sandbox = await startSandboxGateway({ ...credentials, dataDir, now: () => clock })
})
afterEach(async () => {
  await sandbox.stop()
  await shop.stop()
  await rm(dataDir, { recursive: true })
})

async function create(outTradeNo: string): Promise<string> {
  const created = await epayGateway({ url: sandbox.url, allowed: loopback, confirm: 'query', ...credentials }).create({
    outTradeNo,
    method: 'alipay',
    amountFen: fen(2000),
    subject: '账户充值 <b>',
    notifyUrl: `${shop.url}/notify`,
    returnUrl: `${shop.url}/back?order=${outTradeNo}`,
    clientIp: '127.0.0.1',
    device: 'pc',
  })
  if (created.kind !== 'created' || !created.payUrl) throw new Error('the sandbox made no page')
  return created.payUrl
}

test('one click pays: the merchant is told before the payer is sent back', async () => {
  const payUrl = await create('R20260101120000000001')
  const page = await (await fetch(payUrl)).text()
  expect(page).toContain('沙箱环境')
  expect(page).toContain('20.00')
  expect(page).not.toContain('<b>')

  const click = await fetch(`${payUrl}/confirm`, { method: 'POST', redirect: 'manual' })
  expect(click.status).toBe(303)
  expect(shop.told).toHaveLength(1)
  expect(readNotify(shop.told[0] ?? '', credentials)).toMatchObject({
    kind: 'valid',
    notice: { outTradeNo: 'R20260101120000000001', amountFen: 2000, method: 'alipay' },
  })
  expect(new URLSearchParams(shop.told[0]).get('money')).toBe('20')
  const back = new URL(click.headers.get('location') ?? '')
  expect(back.searchParams.get('order')).toBe('R20260101120000000001')
  expect(back.searchParams.get('trade_status')).toBe('TRADE_SUCCESS')
  expect(await (await fetch(payUrl)).text()).toContain('已支付')
})

test('a second click changes nothing and tells nobody', async () => {
  const payUrl = await create('R20260101120000000002')
  await fetch(`${payUrl}/confirm`, { method: 'POST', redirect: 'manual' })
  await fetch(`${payUrl}/confirm`, { method: 'POST', redirect: 'manual' })
  expect(shop.told).toHaveLength(1)
})

test('a merchant that did not say success is told again when its time has come, also after a restart', async () => {
  const payUrl = await create('R20260101120000000003')
  shop.answer = { status: 200, body: 'fail' }
  await fetch(`${payUrl}/confirm`, { method: 'POST', redirect: 'manual' })
  expect(shop.told).toHaveLength(1)

  await sandbox.stop()
  clock += 61_000
  shop.answer = { status: 200, body: 'success' }
  sandbox = await startSandboxGateway({ ...credentials, dataDir, now: () => clock })
  const again = await shop.next()
  expect(readNotify(again, credentials).kind).toBe('valid')
})

test('the word success counts whatever the status, as with stock gateways', async () => {
  const payUrl = await create('R20260101120000000004')
  shop.answer = { status: 500, body: '{"success":false}' }
  await fetch(`${payUrl}/confirm`, { method: 'POST', redirect: 'manual' })
  clock += 3_600_000
  await sandbox.stop()
  sandbox = await startSandboxGateway({ ...credentials, dataDir, now: () => clock })
  const payUrl2 = await create('R20260101120000000005')
  await fetch(`${payUrl2}/confirm`, { method: 'POST', redirect: 'manual' })
  expect(shop.told.map((raw) => new URLSearchParams(raw).get('out_trade_no'))).toEqual([
    'R20260101120000000004',
    'R20260101120000000005',
  ])
})

test('faults are set from this machine, and not through a proxy', async () => {
  const set = (headers: Record<string, string>) =>
    fetch(`${sandbox.url}/sandbox/faults`, { method: 'POST', headers, body: '{"create":"refuse"}' })
  expect((await set({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(404)
  expect(sandbox.faults.create).toBe('normal')
  expect((await set({})).status).toBe(200)
  expect(sandbox.faults.create).toBe('refuse')
})

test('the browser’s way in leads to the same page', async () => {
  const missing = await fetch(`${sandbox.url}/submit.php?pid=1001&sign=x`, { redirect: 'manual' })
  expect(await missing.text()).toContain('签名校验失败')
})

test('a folder that takes no more, as on a full disk, ends no gateway: it goes on telling', async () => {
  const unheard: unknown[] = []
  const hear = (error: unknown) => void unheard.push(error)
  process.on('unhandledRejection', hear)
  await create('R20260101000000full')
  shop.answer = { status: 500, body: 'later' }
  await sandbox.pay('R20260101000000full')
  await rm(dataDir, { recursive: true })
  await writeFile(dataDir, '')
  await expect
    .poll(() => {
      clock += 100_000
      return shop.told.length
    })
    .toBeGreaterThan(2)
  expect(unheard).toEqual([])
  process.off('unhandledRejection', hear)
})

async function openShop(): Promise<Shop> {
  const told: string[] = []
  const waiting: ((raw: string) => void)[] = []
  const server = http.createServer((request, response) => {
    const raw = request.url?.split('?')[1] ?? ''
    told.push(raw)
    response.writeHead(shop.answer.status).end(shop.answer.body)
    waiting.shift()?.(raw)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    answer: { status: 200, body: 'success' },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
