import { regionKey, serviceName, shownDays, statusDays, type ServiceState } from '@vps/shared/status'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, expectSoundEverywhere, main, open } from '../../testing/screen'
import { incident } from '../../testing/operators-things'
import type { RouterOutputs } from '../../testing/script'
import { inDays } from '../../testing/things'

type Status = RouterOutputs['status']['get']
type Day = Status['services'][number]['days'][number]

const days = shownDays(new Date())
const good: Day = { share: 1, disturbedMinutes: 0 }
const lately = (measured: number, ...last: Day[]): Day[] => [
  ...Array<Day>(statusDays - measured).fill(null),
  ...Array<Day>(measured - last.length).fill(good),
  ...last,
]
const service = (key: Parameters<typeof serviceName>[0], state: ServiceState, share: number, list: Day[]) => ({
  key,
  name: serviceName(key),
  state,
  share,
  days: list,
})
const status = (change: Partial<Status> = {}): Status => ({
  at: inDays(0),
  overall: 'good',
  days,
  services: [
    service('api', 'good', 1, lately(90)),
    service('payments', 'good', 0.9995, lately(60, { share: 0.995, disturbedMinutes: 7 }, good)),
    service(regionKey('亚太'), 'good', 0.999, lately(30, { share: 0.9, disturbedMinutes: 144 }, good, good)),
  ],
  incidents: [],
  ...change,
})
const bars = (name: string) => page.getByRole('slider', { name: `${name}每日状态` })

test('a status that is being read is told apart from one that is good', async () => {
  await open('/status', { 'status.get': 'no answer' }, 'visitor')
  await expect.element(page.getByRole('status', { name: '正在加载服务状态' })).toBeVisible()
  await expectSoundEverywhere()
})

test('a status that could not be read says so, and is read again on request', async () => {
  await open('/status', { 'status.get': 'a proxy’s page' }, 'visitor')
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载服务状态失败')
  await answer({ 'status.get': { data: status() } })
  await main().getByRole('button', { name: '重试' }).click()
  await expect.element(main().getByText('全部服务正常')).toBeVisible()
})

test('before anything was measured nothing is claimed', async () => {
  await open('/status', { 'status.get': { data: status({ at: null, overall: 'unknown', services: [] }) } }, 'visitor')
  await expect.element(main().getByText('暂无服务状态数据')).toBeVisible()
  await expect.element(main().getByText('近 90 天没有事件')).toBeVisible()
  expect(main().getByRole('slider').elements()).toEqual([])
  await expectSoundEverywhere()
})

test('each service says its state, its days in a sentence, and a day that is chosen by the keyboard', async () => {
  await open('/status', { 'status.get': { data: status() } }, 'visitor')
  await expect.element(main().getByText('近 90 天可用率 100%；无中断')).toBeVisible()
  await expect
    .element(main().getByText('近 60 天可用率 99.95%；1 天受影响，合计 7 分钟；其余 30 天无数据'))
    .toBeVisible()
  await expectSoundEverywhere()
  bars('支付').element().focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect
    .element(bars('支付'))
    .toHaveAttribute('aria-valuetext', expect.stringContaining('可用率 99.5%，受影响 7 分钟'))
  await expect.element(main().getByText(/：可用率 99\.5%，受影响 7 分钟/)).toBeVisible()
  await userEvent.keyboard('{Home}')
  await expect.element(bars('支付')).toHaveAttribute('aria-valuetext', expect.stringContaining('无数据'))
  await userEvent.tab()
  await expect.element(main().getByText('近 60 天可用率 99.95%', { exact: false })).toBeVisible()
})

test('a day that is pointed at says its date, its share and for how long', async () => {
  await open('/status', { 'status.get': { data: status() } }, 'visitor')
  await expect.element(bars('亚太 服务器')).toBeVisible()
  const { width, height } = bars('亚太 服务器').element().getBoundingClientRect()
  const position = { x: ((statusDays - 3 + 0.5) / statusDays) * width, y: height / 2 }
  await bars('亚太 服务器').hover({ position })
  await expect.element(main().getByText(/：可用率 90%，受影响 2 小时 24 分钟/)).toBeVisible()
})

test('what staff told stands with all that was said of it, and can be followed', async () => {
  const disturbed = status({ overall: 'partly', incidents: [incident] })
  await open('/status', { 'status.get': { data: disturbed } }, 'visitor')
  await expect.element(main().getByText('部分服务受影响')).toBeVisible()
  const told = page.getByRole('article', { name: incident.title })
  await expect.element(told).toMatchTextContent('光缆被挖断，正在切换线路。')
  await expect.element(told).toMatchTextContent('亚太 服务器、支付')
  await expect
    .element(main().getByRole('link', { name: '订阅事件（Atom）' }))
    .toHaveAttribute('href', '/status/feed.xml')
  await expect.element(page.getByRole('contentinfo').getByRole('link', { name: '服务状态' })).toBeVisible()
  await expectSoundEverywhere()
})

test('a state that changes while somebody looks is noticed once, and one that was there before is not', async () => {
  await open('/status', { 'status.get': { data: status() } }, 'visitor')
  await expect.element(main().getByText('全部服务正常')).toBeVisible()
  const noticed = () => document.querySelectorAll('[data-changed]').length
  expect(noticed()).toBe(0)
  const [api, ...others] = status().services
  await answer({
    'status.get': { data: status({ overall: 'partly', services: [{ ...api!, state: 'disturbed' }, ...others] }) },
  })
  await main().getByRole('button', { name: '刷新' }).click()
  await expect.element(main().getByText('部分服务受影响')).toBeVisible()
  expect(noticed()).toBe(1)
})
