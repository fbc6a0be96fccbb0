import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { field, notices } from '../../testing/act'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, id, inDays, order, row } from '../../testing/things'

const theOrder = order({ ipAddress: '203.0.113.7', sshPort: 22022 })
const done: Script = {
  'console.install': {
    data: {
      serverId: theOrder.serverId ?? '',
      orderId: theOrder.id,
      orderStatus: 'ACTIVE',
      wasActive: true,
      serverName: theOrder.serverName,
      installStatus: 'COMPLETED',
      driver: 'kvm',
      jobId: null,
      kind: 'install',
      steps: [],
      percentage: 100,
      attempt: 1,
      startedAt: inDays(0),
      finishedAt: inDays(0),
      typicalSeconds: null,
      error: null,
    },
  },
  'orders.get': { data: theOrder },
  'console.details': { data: details() },
  'console.password': { data: { password: 'Anfangs-1x' } },
}
const address = `/server-install-progress/${theOrder.serverId}`
const command = 'ssh root@203.0.113.7 -p 22022'

test('shows address, user and the command for each system, and the way to the console', async () => {
  await open(address, done)
  await expect.element(main().getByText('203.0.113.7', { exact: true })).toBeVisible()
  await expect.element(main().getByText('root', { exact: true })).toBeVisible()
  await expect.element(main().getByText(command)).toBeVisible()
  for (const [system, hint] of [
    ['Windows', /PowerShell/],
    ['macOS', /启动台/],
    ['Linux', /Ctrl \+ Alt \+ T/],
  ] as const) {
    await main().getByRole('radio', { name: system }).click({ force: true })
    await expect.element(main().getByText(hint)).toBeVisible()
    await expect.element(main().getByText(command)).toBeVisible()
  }
  await expect
    .element(main().getByRole('link', { name: '打开控制台' }))
    .toHaveAttribute('href', `/server-manage/${theOrder.id}`)
  await expectSoundEverywhere()
})

test('copies what is typed elsewhere', async () => {
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await open(address, done)
  for (const [button, copied, said] of [
    ['复制命令', command, 'SSH命令已复制到剪贴板'],
    ['复制IP地址', '203.0.113.7', 'IP地址已复制'],
    ['复制用户名', 'root', '用户名已复制'],
  ] as const) {
    await main().getByRole('button', { name: button }).click()
    await expect.element(notices.getByText(said)).toBeVisible()
    expect(written).toHaveBeenLastCalledWith(copied)
  }
})

test('reads the password only when it is asked for, and forgets it when it is hidden', async () => {
  await open(address, done)
  await expect.element(field('当前密码')).toHaveValue('************')
  expect(await callsOf('console.password')).toEqual([])
  await page.getByRole('button', { name: '显示密码' }).click()
  await expect.element(field('当前密码')).toHaveValue('Anfangs-1x')
  await page.getByRole('button', { name: '隐藏密码' }).click()
  await expect.element(field('当前密码')).toHaveValue('************')
  expect(await callsOf('console.password')).toHaveLength(1)
})

test('says where the order could not be read, and reads it again', async () => {
  await open(address, { ...done, 'orders.get': { refused: 'NOT_FOUND' } })
  await expect.element(main().getByText('加载订单信息失败')).toBeVisible()
  await expectSoundEverywhere()
  await answer(done)
  await main().getByRole('button', { name: '重试' }).click()
  await expect.element(main().getByText(command)).toBeVisible()
})

test('shows those that were bought together, each with its own progress', async () => {
  const made = [12, 13, 14].map((n) =>
    row({
      id: id(n + 40),
      serverId: id(n),
      serverName: `香港-${n}`,
      ipAddress: `203.0.113.${n}`,
      status: n === 12 ? 'ACTIVE' : 'PROCESSING',
    }),
  )
  const orders = { ...theOrder, orders: made }
  await open(address, { ...done, 'orders.get': { data: orders } })
  const list = main().getByRole('list').filter({ hasText: '香港-13' })
  await expect.element(main().getByRole('heading', { name: '一起购买的 3 台服务器' })).toBeVisible()
  await expect.poll(() => list.getByRole('link').elements()).toHaveLength(3)
  await expect.element(list.getByRole('link', { name: /香港-12/ })).toHaveAttribute('aria-current', 'page')
  await expect
    .element(list.getByRole('link', { name: /香港-13/ }))
    .toHaveAttribute('href', `/server-install-progress/${id(13)}`)
  await expectSoundEverywhere()
})
