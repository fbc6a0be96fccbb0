import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { choose, dialog, inDialog, notices } from '../../testing/act'
import { callsOf, expectSoundEverywhere, open } from '../../testing/screen'
import { id, order, row } from '../../testing/things'

const server = (n: number, serverName: string, labels: string[] = []) =>
  row({ id: id(200 + n), serverId: id(300 + n), serverName, labels })
const typed = dialog.getByRole('textbox', { name: '标签' })
const servers = [
  server(1, '甲'),
  server(2, '乙', ['测试']),
  server(3, '丙', ['生产', '网站']),
  server(4, '丁', ['测试']),
]
const names = () =>
  [...document.querySelectorAll('main tbody th, main tbody td:first-child a')].map(({ textContent }) => textContent)

test('servers are found by a label, and stand under their first one where they are grouped', async () => {
  await open('/dashboard', { 'orders.list': { data: servers } })
  await expect.poll(names).toEqual(['甲', '乙', '丙', '丁'])
  await page.getByLabelText('标签', { exact: true }).first().selectOptions('测试 2')
  await expect.poll(names).toEqual(['乙', '丁'])
  await page.getByRole('button', { name: '重置' }).click()
  await page.getByRole('switch', { name: '按标签分组' }).click({ force: true })
  await expect.poll(names).toEqual(['测试', '乙', '丁', '生产', '丙', '无标签', '甲'])
  expect(location.search).toBe('?group=label')
  await expectSoundEverywhere()
})

test('labels are typed or taken from others, and refused before they are sent where there are too many', async () => {
  await open('/dashboard', { 'orders.list': { data: servers }, 'orders.setLabels': { data: order() } })
  await choose('甲', '设置标签')
  await dialog.getByRole('button', { name: '测试', exact: true }).click()
  await expect.element(typed).toHaveValue('测试')
  await typed.fill('测试，官网、官网 一 二 三 四')
  await expect.element(dialog.getByText('最多 5 个标签', { exact: true })).toBeVisible()
  await expect.element(inDialog('保存')).toBeDisabled()
  await expectSoundEverywhere()
  await typed.fill('测试，官网、官网')
  await inDialog('保存').click()
  await expect.element(notices.getByText('标签已保存')).toBeVisible()
  expect(await callsOf('orders.setLabels')).toEqual([{ id: id(201), labels: ['测试', '官网'] }])
})
