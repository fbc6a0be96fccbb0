import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { answer, expectSoundEverywhere, main, open, visit } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { id, inDays, pageOf } from '../../testing/things'

const notice = (n: number) =>
  ({
    id: id(n),
    title: '机房维护',
    body: '今晚 23:00 至次日 1:00 维护网络，期间可能短暂中断。',
    level: 'warning',
    startsAt: inDays(-1),
    endsAt: null,
  }) as const
const current = (n: number): Script => ({
  'announcements.current': { data: [notice(n)] },
  'orders.page': { data: pageOf() },
})
const banner = () => page.getByRole('region', { name: '公告' })

test('notices that are being read are told apart from none', async () => {
  await open('/notices', { 'announcements.current': 'no answer' }, 'visitor')
  await expect.element(page.getByRole('status', { name: '正在加载公告' })).toBeVisible()
  await expectSoundEverywhere()
  await answer({ 'announcements.current': { data: [] } })
  await expect.element(main().getByText('暂无公告')).toBeVisible()
  await expectSoundEverywhere()
})

test('notices that could not be read say so', async () => {
  await open('/notices', { 'announcements.current': 'a proxy’s page' }, 'visitor')
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载公告失败')
  await expectSoundEverywhere()
})

test('a notice stands under the bar of every page until it is closed, and on its page from then on', async () => {
  const { title, body } = notice(111)
  await open('/orders', current(111))
  await expect.element(banner()).toMatchTextContent(title)
  await expect.element(main().getByText('暂无订单')).toBeVisible()
  await expectSoundEverywhere()
  await banner().getByRole('button', { name: '关闭公告' }).click()
  await expect.element(banner()).not.toBeInTheDocument()
  await expect.element(main()).toHaveFocus()
  visit('/notices')
  await expect.element(page.getByRole('article', { name: title })).toMatchTextContent(body)
  await expectSoundEverywhere()
})

test('a notice that was read on its page stands under no bar any more', async () => {
  await open('/notices', current(112))
  await expect.element(page.getByRole('article', { name: notice(112).title })).toBeVisible()
  visit('/orders')
  await expect.element(main().getByText('暂无订单')).toBeVisible()
  await expect.element(banner()).not.toBeInTheDocument()
})

test('a notice that is over goes, and one that has begun comes, while a customer stays on a page', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await open('/orders', current(113))
  await expect.element(banner()).toMatchTextContent(notice(113).title)
  await answer({ 'announcements.current': { data: [] } })
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.element(banner()).not.toBeInTheDocument()
  await answer({ 'announcements.current': { data: [notice(114)] } })
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.element(banner()).toMatchTextContent(notice(114).title)
})
