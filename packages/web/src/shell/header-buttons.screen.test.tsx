import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { open } from '../testing/screen'
import { pageOf } from '../testing/things'

// Alone in its file: only the first page is drawn before the code of its menus has come.
test('the buttons of the header are the same before and after the code of their menus has come: focus in them stays', async () => {
  const taken: (string | null)[] = []
  const seen = new MutationObserver((changes) => {
    for (const { target, removedNodes } of changes)
      for (const node of removedNodes)
        if (node instanceof HTMLButtonElement && target instanceof Element && target.closest('header'))
          taken.push(node.getAttribute('aria-label') ?? node.textContent)
  })
  seen.observe(document, { childList: true, subtree: true })
  await open('/jobs', { 'jobs.list': { data: pageOf() } }, 'admin')
  await page.getByRole('button', { name: /^用户菜单/ }).click()
  await expect.element(page.getByRole('menu', { name: '用户菜单' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toMatch(/^用户菜单/)
  seen.disconnect()
  expect(taken).toEqual([])
})
