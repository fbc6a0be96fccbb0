import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, endScreen, expectSoundEverywhere, open } from '../testing/screen'
import type { Script } from '../testing/script'
import { pageOf } from '../testing/things'

const reads = (refunds: number, jobs: number, findings: number): Script => ({
  'pools.list': { data: pageOf() },
  'operations.waiting': { data: { refunds, jobs, findings } },
})
const walletReads: Script = {
  'wallet.page': { data: pageOf() },
  'wallet.summary': { data: { income: 0, expense: 0, count: 0, pending: 0 } },
}
const group = (name: string) => page.getByRole('button', { name })
const entry = (name: string) => page.getByRole('menuitem', { name })

test('say how much waits in them, and where', async () => {
  await open('/ip-pools', reads(2, 100, 3), 'admin')
  await expect.element(group('商务')).toMatchTextContent('商务2 项待处理')
  await expect.element(group('机房')).toMatchTextContent('机房99+ 项待处理')
  await expect.element(group('系统')).toMatchTextContent(/^系统$/)
  await group('商务').click()
  await expect.element(entry('退款申请')).toMatchTextContent('退款申请2 项待处理')
  await expect.element(entry('用户')).toMatchTextContent(/^用户$/)
  await expectSoundEverywhere()
})

test('tell which page one is on in words, too: staff’s, a customer’s and the account’s', async () => {
  await open('/ip-pools', reads(0, 0, 0), 'admin')
  await expect.element(group('机房')).toHaveAttribute('aria-current', 'true')
  await expect.element(group('商务')).not.toHaveAttribute('aria-current')
  await group('机房').click()
  await expect.element(entry('IP 池')).toHaveAttribute('aria-current', 'page')
  expect(document.querySelectorAll('[role="menuitem"][aria-current]')).toHaveLength(1)
  await endScreen()
  await open('/transactions', walletReads)
  await group('财务').click()
  await expect.element(entry('交易记录')).toHaveAttribute('aria-current', 'page')
  await endScreen()
  await open('/profile?part=devices', { 'accounts.devices': { data: [] } })
  await group('用户菜单').click()
  await expect.element(entry('个人资料')).toHaveAttribute('aria-current', 'page')
  expect(document.querySelectorAll('[role="menuitem"][aria-current]')).toHaveLength(1)
})

test('say nothing where nothing waits', async () => {
  await open('/ip-pools', reads(0, 0, 0), 'admin')
  await expect.poll(() => callsOf('operations.waiting')).toHaveLength(1)
  expect(page.getByText('项待处理').elements()).toEqual([])
})

test('are in the drawer of a phone with what waits', async () => {
  await open('/ip-pools', reads(1, 0, 4), 'admin')
  await page.viewport(390, 900)
  await page.getByRole('button', { name: '打开菜单' }).click()
  const drawer = page.getByRole('dialog')
  await expect.element(drawer.getByRole('link', { name: '退款申请' })).toMatchTextContent('退款申请1 项待处理')
  await expect.element(drawer.getByRole('link', { name: '发现项' })).toMatchTextContent('发现项4 项待处理')
  await expect.element(drawer.getByRole('link', { name: 'IP 池' })).toHaveAttribute('aria-current', 'page')
  await expectSoundEverywhere()
})

test('are not counted for a customer', async () => {
  await open('/notices', {})
  await expect.element(group('财务')).toBeVisible()
  expect(await callsOf('operations.waiting')).toEqual([])
})
