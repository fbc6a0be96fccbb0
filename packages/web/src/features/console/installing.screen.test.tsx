import type { InstallProgress } from '@vps/shared/console.contract'
import { afterEach, expect, test } from 'vitest'
import { commands } from 'vitest/browser'
import { answer, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, inDays, order } from '../../testing/things'

const theOrder = order({ status: 'PROCESSING' })
const address = `/server-install-progress/${theOrder.serverId}`
const names = ['创建磁盘', '启动虚拟机', '验证登录']

const after = (done: number, change: Partial<InstallProgress> = {}): Script => ({
  'console.install': {
    data: {
      serverId: theOrder.serverId ?? '',
      orderId: theOrder.id,
      orderStatus: done === names.length ? 'ACTIVE' : 'PROCESSING',
      serverName: theOrder.serverName,
      installStatus: done === names.length ? 'COMPLETED' : 'INSTALLING',
      driver: 'kvm',
      jobId: null,
      kind: 'install',
      steps: names.map((label, n) => ({
        name: label,
        label,
        status: n < done ? 'done' : n === done ? 'running' : 'pending',
        startedAt: n <= done ? inDays(0) : null,
        finishedAt: n < done ? inDays(0) : null,
      })),
      percentage: done * 33,
      attempt: 1,
      startedAt: inDays(0),
      finishedAt: null,
      typicalSeconds: [24, 31],
      error: null,
      ...change,
    },
  },
  'orders.get': { data: theOrder },
  'console.details': { data: details({ ipAddresses: ['10.66.0.4', '2001:db8:0:7::1'] }) },
  'console.password': { data: { password: 'Anfangs-1x' } },
})

const cells = () => [...row().element().children].map((cell) => (cell instanceof HTMLElement ? cell.dataset : {}))
const row = () => main().getByRole('progressbar', { name: '安装进度' })

const moving = () =>
  document.getAnimations().filter(({ effect, playState }) => {
    const shown = effect instanceof KeyframeEffect && row().element().contains(effect.target)
    return shown && playState === 'running'
  }).length

afterEach(() => commands.preferMotion('reduce'))

test('lights a cell when its step is done, and all of them with the login', async () => {
  await open(address, after(1))
  await expect.element(row()).toHaveAttribute('aria-valuenow', '33')
  expect(cells().map(({ status }) => status)).toEqual(['done', 'running', 'pending'])
  await expectSoundEverywhere()
  await answer(after(3))
  await expect.element(row()).toHaveAttribute('aria-valuenow', '100')
  expect(cells().map(({ status }) => status)).toEqual(['done', 'done', 'done'])
  await expect.element(main().getByText('服务器已就绪')).toBeVisible()
  for (const address of ['10.66.0.4', '2001:db8:0:7::1'])
    await expect.element(main().getByText(address, { exact: true })).toBeVisible()
})

test('moves while it runs, but not for whoever asked for less motion', async () => {
  await commands.preferMotion('no-preference')
  await open(address, after(1))
  await expect.element(row()).toBeVisible()
  await expect.poll(moving).toBeGreaterThan(0)
  await commands.preferMotion('reduce')
  await expect.poll(moving).toBe(0)
})

test.each([
  ['CANCELLED', '退款申请已批准'],
  ['EXPIRED', null],
] as const)(
  'a server whose order has ended (%s) is told as released, not as never set up or under way',
  async (orderStatus, error) => {
    await open(address, after(3, { orderStatus, installStatus: null, percentage: 100, error }))
    await expect.element(main().getByText(`订单已结束，服务器已释放。${error ?? ''}`, { exact: true })).toBeVisible()
    await expect.element(main().getByText(/全额退回|安装会继续进行/)).not.toBeInTheDocument()
  },
)
