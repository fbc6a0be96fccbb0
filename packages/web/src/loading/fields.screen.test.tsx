import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { consoleAddress, consoleReads } from '../testing/customers-acts'
import { field, pressOn } from '../testing/act'
import { main, open } from '../testing/screen'
import { PhoneKeys } from '../features/remote/PhoneKeys'
import { fields } from './fields'

const nothing = () => undefined
const values = () => fields().map(({ field }) => field.value)

test('what a tab keeps as it is loaded anew is what was typed, but no password, also one that is shown', async () => {
  await open('/auth', {}, 'visitor')
  await pressOn('立即注册')
  await field('用户名').fill('demo')
  await field('邮箱').fill('demo@example.com')
  await field('密码').fill('secret-1')
  await field('确认密码').fill('secret-2')
  // Pressed, it has another name.
  for (const _ of ['密码', '确认密码']) await main().getByRole('button', { name: '显示密码' }).first().click()
  await expect.element(field('密码')).toHaveAttribute('type', 'text')
  await expect.element(field('确认密码')).toHaveAttribute('type', 'text')
  expect(values()).toEqual(['demo', 'demo@example.com'])
})

test('nor what is typed to a machine by a phone’s keyboard', async () => {
  const nobody = {
    press: nothing,
    type: () => Promise.resolve(),
    understands: () => true,
    focus: nothing,
    release: nothing,
  }
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<PhoneKeys input={nobody} />)
  await page.getByLabelText('手机键盘的输入').fill('Machine-secret-1')
  expect(values()).toEqual([])
  root.unmount()
})

test('nor a machine’s, which is only shown', async () => {
  await open(consoleAddress, {
    ...consoleReads,
    'console.password': { data: { password: 'Machine-secret-1' } },
  })
  await page.getByRole('button', { name: '显示密码' }).first().click()
  await expect.element(field('当前密码')).toHaveValue('Machine-secret-1')
  expect(values()).not.toContain('Machine-secret-1')
})
