import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { main, open } from '../testing/screen'
import { pageOf, row } from '../testing/things'

const reset = page.getByRole('button', { name: '重置', exact: true })

test('who resets a list’s conditions by key stands in its first field, not before the page', async () => {
  await open('/dashboard?q=web', { 'orders.list': { data: [row()] } })
  await expect.element(reset).toBeEnabled()
  reset.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(main().getByRole('searchbox')).toHaveFocus()
  await expect.element(main().getByRole('searchbox')).toHaveValue('')
})

test('so does an operator, whose button stays but cannot be pressed again', async () => {
  await open('/jobs?from=2026-11-02', { 'jobs.list': { data: pageOf() } }, 'admin')
  await expect.element(reset).toBeEnabled()
  reset.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(reset).toBeDisabled()
  expect(main().element().querySelector('[role=search]')?.contains(document.activeElement)).toBe(true)
  expect(document.activeElement).not.toBe(reset.element())
})
