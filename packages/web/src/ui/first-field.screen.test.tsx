import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { choose, inQuestion, notices, question } from '../testing/act'
import { consoleAddress, consoleReads } from '../testing/customers-acts'
import { callsOf, main, open } from '../testing/screen'
import { details, order, row, snapshot } from '../testing/things'

test('what a dialog asks to be typed is typed without a click first, behind what stands there', async () => {
  await open('/dashboard', {
    'orders.list': { data: [row({ labels: ['官网'] })] },
    'orders.setLabels': { data: order() },
  })
  await choose(row().serverName, '设置标签')
  await expect.poll(() => document.activeElement?.tagName).toBe('INPUT')
  await userEvent.keyboard(' 主站{Enter}')
  await expect.element(notices.getByText('标签已保存')).toBeVisible()
  expect(await callsOf('orders.setLabels')).toEqual([{ id: row().id, labels: ['官网', '主站'] }])
})

test('a blank in the name that confirms a danger is typed, and presses no button', async () => {
  await open(`${consoleAddress}?part=disk`, {
    ...consoleReads,
    'snapshots.list': { data: [snapshot()] },
    'console.details': { data: details({ snapshots: { used: 1, most: 1 } }) },
  })
  await main()
    .getByRole('button', { name: `恢复 ${snapshot().name}` })
    .click()
  await expect.element(question).toBeVisible()
  await userEvent.keyboard('一 二')
  await expect.element(question.getByRole('textbox')).toHaveValue('一 二')
  await expect.element(question.getByRole('textbox')).toHaveFocus()
})

test('a question with nothing to type begins on what does nothing', async () => {
  await open(consoleAddress, consoleReads)
  await main().getByRole('button', { name: '重启', exact: true }).click()
  await expect.element(inQuestion('取消')).toHaveFocus()
})
