import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { main, open } from '../testing/screen'
import { pageOf } from '../testing/things'
import { rehearseMenu } from './MenuLayer'

const account = page.getByRole('button', { name: /^用户菜单/ })

test('a rehearsed menu hides nothing, takes no focus and leaves nothing, and the first one opens and closes as ever', async () => {
  await open('/jobs', { 'jobs.list': { data: pageOf() } }, 'admin')
  await main().getByLabelText('开始日期', { exact: true }).click()
  await expect.element(account).toBeVisible()
  const button = account.element()
  const field = document.activeElement
  expect(field).toBeInstanceOf(HTMLInputElement)
  const before = document.body.cloneNode(true)
  const seen = new MutationObserver(() => {})
  seen.observe(document, { attributes: true, subtree: true })
  rehearseMenu()
  const changed = seen.takeRecords().filter(({ target }) => target.isConnected)
  seen.disconnect()
  const isAsBefore = document.body.isEqualNode(before)
  await expect.poll(() => document.activeElement).toBe(field)
  expect(isAsBefore).toBe(true)
  expect(changed.map(({ target, attributeName }) => `${target.nodeName} ${attributeName}`)).toEqual([])

  await account.click()
  await expect.element(page.getByRole('menu', { name: '用户菜单' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.activeElement).toBe(button)
})
