import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { choose, pressOn } from '../testing/act'
import { consoleAddress, consoleReads } from '../testing/customers-acts'
import { main, open } from '../testing/screen'
import type { Script } from '../testing/script'
import { category, details, group, id, inDays, offer, order, pageOf, row } from '../testing/things'

const long = 'production'.repeat(8)
const key = { id: id(3), name: long.slice(0, 50), publicKey: 'ssh-ed25519 AAAA', fingerprint: 'SHA256:x' }
const keys = { data: [{ ...key, createdAt: inDays(-1) }] }
const named = {
  ...consoleReads,
  'orders.get': { data: order({ serverName: long }) },
  'console.details': { data: details({ serverName: long }) },
}

const refundable = row({ serverName: long, refundableUntil: inDays(3) })

/** What reaches over the right edge of the window or of the dialog. */
const over = (): string[] => {
  const around = document.querySelector('[role=alertdialog], [role=dialog]') ?? document.querySelector('main')
  return [...(around?.querySelectorAll('*') ?? [])]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('nav'))
    .map((one) => one.outerHTML.slice(0, 80))
}

const places: [what: string, at: string, reads: Script, reach: () => Promise<void>][] = [
  [
    'the question before a key is removed',
    '/profile?part=keys',
    { 'accounts.sshKeys': keys },
    () => main().getByRole('button', { name: '删除' }).click(),
  ],
  [
    'the keys of an order',
    '/sales',
    {
      'shop.categories': { data: [category] },
      'shop.groups': { data: [group] },
      'shop.priceGroups': { data: [offer()] },
      'accounts.sshKeys': keys,
    },
    () => main().getByText('系统与登录').click(),
  ],
  ['the question before a restart', consoleAddress, named, () => pressOn('重启')],
  [
    'asking for the money back',
    '/orders',
    { 'orders.page': { data: pageOf(refundable) } },
    () => choose(`订单 ${refundable.orderNumber}`, '申请退款'),
  ],
  [
    'an order',
    `/orders?orderId=${order().id}`,
    { ...named, 'orders.page': { data: pageOf(row()) } },
    () => Promise.resolve(),
  ],
]

test.each(places)('%s stays within a narrow phone, however long a word in it', async (_, at, reads, reach) => {
  await open(at, reads)
  await page.viewport(320, 640)
  await reach()
  const here = at === '/sales' ? main() : page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await expect.element(here.getByText('production').first()).toBeVisible()
  expect(over()).toEqual([])
})
