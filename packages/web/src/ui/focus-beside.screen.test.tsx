import * as verbs from '@vps/shared/verbs'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { inQuestion, question } from '../testing/act'
import { consoleAddress, consoleReads } from '../testing/customers-acts'
import { category, group, image } from '../testing/operators-things'
import { answer, callsOf, main, open } from '../testing/screen'
import type { Script } from '../testing/script'
import { endedJob, id, inDays, pageOf, row } from '../testing/things'

const keys = [1, 2].map((n) => ({
  id: id(n),
  name: `电脑 ${n}`,
  publicKey: `ssh-ed25519 ${'A'.repeat(68)}`,
  fingerprint: `SHA256:${n}`,
  createdAt: inDays(-1),
}))
const reads = (left: typeof keys): Script => ({
  'accounts.sshKeys': { data: left },
  'accounts.removeSshKey': { data: left },
})
const removals = () => main().getByRole('button', { name: '删除' })

test('what opened a question and is gone with its answer leaves the focus to what stands beside it', async () => {
  await open('/profile?part=keys', reads(keys))
  await removeFirst(keys.slice(1))
  await expect.element(removals()).toHaveFocus()
  await removeFirst([])
  await expect.element(main().getByRole('button', { name: '新增' })).toHaveFocus()
})

async function removeFirst(left: typeof keys): Promise<void> {
  await expect.element(removals().first()).toBeVisible()
  removals().first().element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(inQuestion('取消')).toHaveFocus()
  await answer(reads(left))
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(question).not.toBeInTheDocument()
}

const left = <T extends object>(one: T, n: number) => ({
  data: pageOf(...[1, 2].slice(-n).map((k) => ({ ...one, id: id(k) }))),
})

test.each<[string, (n: number) => Script]>([
  ['/categories', (n) => ({ 'catalogue.categories': left(category, n), 'catalogue.deleteCategory': { data: null } })],
  ['/groups', (n) => ({ 'catalogue.groups': left(empty, n), 'catalogue.deleteGroup': { data: null } })],
  ['/images', (n) => ({ 'images.list': left(image, n), 'images.delete': { data: null } })],
])('at %s, what was deleted leaves the focus to what stands beside it', async (at, script) => {
  await open(at, script(2), 'admin')
  const buttons = main().getByRole('button', { name: /^删除 / })
  await expect.element(buttons.first()).toBeVisible()
  buttons.first().element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(inQuestion('取消')).toHaveFocus()
  await answer(script(1))
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(question).not.toBeInTheDocument()
  await expect.poll(() => buttons.elements()).toHaveLength(1)
  await expect.poll(() => document.activeElement?.closest('main')).toBeTruthy()
})

const empty = { ...group, serverCount: 0, priceGroupCount: 0 }

test('a button that its own press ends, or keeps waiting, keeps the focus', async () => {
  const second = row({ id: id(12_002), orderNumber: 'V261027ZZZZZZZZZZ' })
  const at = (number: number) => ({
    data: { ...pageOf(number === 0 ? row() : second), totalElements: 20, totalPages: 2, number },
  })
  await open('/orders', { 'orders.page': at(0) })
  await expect.element(main().getByText('1 / 2')).toBeVisible()
  await answer({ 'orders.page': at(1) })
  await pressByKey('下一页')
  await expect.element(main().getByText(second.orderNumber)).toBeVisible()
  await expectFocusOn('下一页')
  await answer({ 'orders.page': 'no answer' })
  await pressByKey('刷新')
  await expect.poll(() => callsOf('orders.page')).toHaveLength(1)
  await expectFocusOn('刷新')
})

test.each<[string, string, Script]>([
  ['清除筛选', '/orders?q=x', { 'orders.page': { data: pageOf() } }],
  ['取消选择', '/dashboard', { 'orders.list': { data: [row()] } }],
])('%s goes with its press, and leaves the focus to the search', async (name, at, script) => {
  await open(at, script)
  if (at === '/dashboard') await main().getByRole('checkbox', { name: verbs.chooseShown }).click()
  const button = main().getByRole('button', { name })
  await expect.element(button).toBeVisible()
  await answer({ ...script, 'orders.page': { data: pageOf(row()) } })
  await pressByKey(name)
  await expect.element(button).not.toBeInTheDocument()
  await expect.element(main().getByRole('searchbox')).toHaveFocus()
})

async function pressByKey(name: string): Promise<void> {
  main().getByRole('button', { name }).element().focus()
  await userEvent.keyboard('{Enter}')
}

/** What is disabled loses it with the next frame. */
async function expectFocusOn(name: string): Promise<void> {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  await expect.element(main().getByRole('button', { name })).toHaveFocus()
}

test('what was asked from a menu and is confirmed gives the focus back to the menu’s button', async () => {
  const ended = { ...endedJob('restart'), id: id(77) }
  const reads = { ...consoleReads, 'console.act': { data: { jobId: ended.id } }, 'jobs.get': { data: ended } }
  await open(consoleAddress, reads)
  const power = main().getByRole('button', { name: '电源', exact: true })
  await expect.element(power).toBeEnabled()
  power.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitem', { name: '重启' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(inQuestion('取消')).toHaveFocus()
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(power).toHaveFocus()
})
