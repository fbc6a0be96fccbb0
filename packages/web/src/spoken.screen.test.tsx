/** What is said to whoever does not see the screen. */
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { consoleAddress, consoleReads } from './testing/customers-acts'
import { main, open } from './testing/screen'
import { pageOf, row } from './testing/things'

describe('another page', () => {
  test('is said by its name, which the focus is led to once it is known', async () => {
    await open('/orders', { 'orders.page': { data: pageOf(row()) }, 'orders.list': { data: [] } })
    await expect.element(page.getByRole('main', { name: '订单' })).toBeVisible()
    const heard: (string | null)[] = []
    main()
      .element()
      .addEventListener('focus', () => heard.push(main().element().getAttribute('aria-label')))
    page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '控制台' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('main', { name: '控制台' })).toHaveFocus()
    expect(heard.at(-1)).toBe('控制台')
    expect(heard).not.toContain('订单')
  })

  test('is not said again where its title tells how far something is', async () => {
    await open(consoleAddress, consoleReads)
    await expect.element(page.getByRole('main', { name: '服务器管理' })).toBeVisible()
    await expect.poll(() => document.title).toContain(row().serverName)
    await expect.element(page.getByRole('main', { name: '服务器管理' })).toBeVisible()
  })
})
