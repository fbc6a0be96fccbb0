import * as text from '@vps/shared/text'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { commands } from 'vitest/browser'
import { answer, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { RouterOutputs, Script } from '../../testing/script'
import { details, inDays, order } from '../../testing/things'

const theOrder = order({ status: 'PROCESSING' })
const address = `/server-install-progress/${theOrder.serverId}`
const names = ['创建磁盘', '启动虚拟机', '验证登录']

type Progress = RouterOutputs['console']['install']

const progressAfter = (done: number, changes: Partial<Progress> = {}): Progress => ({
  serverId: theOrder.serverId ?? '',
  orderId: theOrder.id,
  orderStatus: done === names.length ? 'ACTIVE' : 'PROCESSING',
  wasActive: done === names.length,
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
  ...changes,
})

const after = (done: number, changes: Partial<Progress> = {}): Script => ({
  'console.install': { data: progressAfter(done, changes) },
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
  ['EXPIRED', null, '订单已过期，服务器已释放。'],
  ['CANCELLED', '退款申请已批准', '订单已取消，服务器已释放。退款申请已批准'],
] as const)(
  'of an order that ran and is %s installs nothing, and says what became of it',
  async (orderStatus, error, said) => {
    await open(address, after(3, { orderStatus, installStatus: null, error }))
    await expect.element(main().getByRole('heading', { level: 2, name: '服务器已释放' })).toBeVisible()
    await expect.element(main().getByText(said)).toBeVisible()
    expect(main().element().textContent).not.toContain('全额退回')
    await expect.element(main().getByRole('link', { name: '重新选购' })).toBeVisible()
    await expectSoundEverywhere()
  },
)

test('of a server whose reinstall failed leads back to its console, not to another purchase', async () => {
  const failed = { kind: 'reinstall', orderStatus: 'ACTIVE', wasActive: true, installStatus: 'FAILED' } as const
  await open(address, after(1, { ...failed, error: '定义虚拟机失败' }))
  await expect.element(main().getByRole('alert')).toMatchTextContent(`定义虚拟机失败。${text.noSystem}`)
  const way = main().getByRole('link', { name: '打开控制台' })
  await expect.element(way).toHaveAttribute('href', `/server-manage/${theOrder.id}`)
  await expect.element(main().getByRole('link', { name: '重新选购' })).not.toBeInTheDocument()
  await expectSoundEverywhere()
})

test('that goes on elsewhere offers no second purchase meanwhile', async () => {
  await open(address, after(1, { installStatus: 'FAILED', error: '定义虚拟机失败' }))
  await expect.element(main().getByText('安装遇到问题，正在更换宿主机重试').first()).toBeVisible()
  await expect.element(main().getByRole('link', { name: '重新选购' })).not.toBeInTheDocument()
})

test('takes an answer that was long on its way for no wrong clock', async () => {
  const began = inDays(-40 / 86_400)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const send = window.fetch
  onTestFinished(() => void (window.fetch = send))
  window.fetch = (input, init) => {
    if (input !== '/healthz') return send(input, init)
    const date = new Date().toUTCString()
    vi.setSystemTime(Date.now() + 3600_000)
    return Promise.resolve(new Response(null, { headers: { date } }))
  }
  const { steps, ...progress } = progressAfter(0, { startedAt: began })
  const running = { ...progress, steps: steps.map((step, n) => (n === 0 ? { ...step, startedAt: began } : step)) }
  await open(address, { ...after(0), 'console.install': { data: running } })
  await expect.element(main().getByText(/已用时 1:\d\d:\d\d/)).toBeVisible()
})

test.each([5, -5])(
  'tells how long it takes by the server’s clock, where the browser’s is wrong by %i hours',
  async (hours) => {
    const began = inDays(-40 / 86_400)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3600_000 })
    const { steps, ...progress } = progressAfter(0, { startedAt: began })
    const running = { ...progress, steps: steps.map((step, n) => (n === 0 ? { ...step, startedAt: began } : step)) }
    await open(address, { ...after(0), 'console.install': { data: running } })
    await expect.element(main().getByText(/已用时 (0:[45]|[1-9]:\d)\d/)).toBeVisible()
    await expect.element(main().getByText(/^(0:[45]|[1-9]:\d)\d$/)).toBeVisible()
  },
)
