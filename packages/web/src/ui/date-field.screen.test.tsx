import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dialog, field, inDialog, pressOn } from '../testing/act'
import { announcement } from '../testing/operators-things'
import { callsOf, expectSoundEverywhere, main, open } from '../testing/screen'
import type { Script } from '../testing/script'
import { pageOf } from '../testing/things'

const jobs: Script = { 'jobs.list': { data: pageOf() } }
const announcements: Script = {
  'announcements.list': { data: pageOf(announcement) },
  'catalogue.groups': { data: pageOf() },
}
const from = () => main().getByLabelText('开始日期', { exact: true })
const calendar = page.getByRole('dialog', { name: '开始日期' })
const asked = () => callsOf('jobs.list')

test('what is typed is understood in the usual ways, and shown as the screens write it', async () => {
  await open('/jobs', jobs, 'admin')
  await from().fill('20261102')
  await userEvent.tab()
  await expect.element(from()).toHaveValue('2026-11-02')
  await expect.poll(asked).toContainEqual(expect.objectContaining({ from: '2026-11-02' }))
  await page.getByRole('button', { name: '重置' }).click()
  await expect.element(from()).toHaveValue('')
})

test('what is no date is said at its field, and asked of nobody', async () => {
  await open('/jobs', jobs, 'admin')
  await from().fill('2026-02-30')
  await userEvent.tab()
  await expect.element(main().getByText('日期格式不正确')).toBeVisible()
  await expect.element(from()).toHaveAttribute('aria-invalid', 'true')
  await expectSoundEverywhere()
  expect(JSON.stringify(await asked())).not.toContain('from')
  await from().fill('')
  await userEvent.tab()
  expect(main().getByText('日期格式不正确').elements()).toEqual([])
})

test('an address with what is no day bounds nothing, is asked of nobody, and leaves the calendar whole', async () => {
  await open('/jobs?from=2026-02-30&to=soon', jobs, 'admin')
  await main().getByRole('button', { name: '选择结束日期' }).click()
  await expect.element(page.getByRole('dialog', { name: '结束日期' }).getByRole('grid')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await main().getByRole('button', { name: '选择开始日期' }).click()
  await expect.element(calendar.getByRole('grid')).toBeVisible()
  expect(JSON.stringify(await asked())).not.toMatch(/"(from|to)"/)
})

test('what is no day in an address is asked of nobody over one’s own transactions, either', async () => {
  await open('/transactions?from=2026-02-30&to=soon', {
    'wallet.page': { data: pageOf() },
    'wallet.summary': { data: { income: 0, expense: 0, count: 0, pending: 0 } },
  })
  await expect.poll(() => callsOf('wallet.page')).toHaveLength(1)
  expect(JSON.stringify(await callsOf('wallet.page'))).not.toMatch(/"(from|to)"/)
})

test('the calendar holds its days in a low window too, where they are scrolled to', async () => {
  await open('/jobs?from=2026-11-30', jobs, 'admin')
  await page.viewport(320, 400)
  await main().getByRole('button', { name: '选择开始日期' }).click()
  const day = calendar.getByRole('button', { name: /2026年11月30日/ })
  await expect.element(day).toBeVisible()
  day.element().scrollIntoView({ block: 'nearest' })
  const ends = () => [day.element(), calendar.element().parentElement].map((one) => one?.getBoundingClientRect().bottom)
  await expect.poll(() => ends()[0]).toBeLessThanOrEqual(ends()[1] ?? 0)
  await day.click()
  await expect.element(from()).toHaveValue('2026-11-30')
  await page.viewport(1440, 900)
})

test('a month is taken as a whole, for both days of a range; of a single day none is offered', async () => {
  await open('/jobs?from=2026-11-20', jobs, 'admin')
  await main().getByRole('button', { name: '选择结束日期' }).click()
  const ends = page.getByRole('dialog', { name: '结束日期' })
  await ends.getByRole('button', { name: '选择整月' }).click()
  await expect.poll(() => location.search).toMatch(/^\?from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d$/)
  await main().getByRole('button', { name: '选择开始日期' }).click()
  await calendar.getByRole('button', { name: '上个月' }).click()
  const shown = /(\d+)年(\d+)月/.exec(calendar.getByRole('heading').element().textContent ?? '')
  await calendar.getByRole('button', { name: '选择整月' }).click()
  const month = `${shown?.[1]}-${shown?.[2]?.padStart(2, '0')}`
  await expect.element(from()).toHaveValue(`${month}-01`)
  await expect.poll(asked).toContainEqual(expect.objectContaining({ from: `${month}-01` }))
  expect(new URLSearchParams(location.search).get('to')).toMatch(new RegExp(`^${month}-(28|29|30|31)$`))
})

test('the calendar is in Chinese, goes by the keys alone and gives the focus back', async () => {
  await open('/jobs?from=2026-11-20', jobs, 'admin')
  const opener = main().getByRole('button', { name: '选择开始日期' })
  await expect.element(opener).toBeVisible()
  opener.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(calendar.getByRole('heading', { name: '2026年11月' })).toBeVisible()
  await expect.element(calendar.getByRole('button', { name: /2026年11月20日/ })).toHaveFocus()
  await expectSoundEverywhere()
  await calendar.getByRole('button', { name: '下个月' }).click()
  await expect.element(calendar.getByRole('heading', { name: '2026年12月' })).toBeVisible()
  await calendar.getByRole('button', { name: '上个月' }).click()
  calendar
    .getByRole('button', { name: /2026年11月20日/ })
    .element()
    .focus()
  await userEvent.keyboard('{ArrowRight}{Enter}')
  await expect.element(from()).toHaveValue('2026-11-21')
  await expect.element(opener).toHaveFocus()
  await expect.poll(asked).toContainEqual(expect.objectContaining({ from: '2026-11-21' }))
})

test('at the last month that may be taken the way further keeps the focus, and Escape closes the calendar', async () => {
  await open('/jobs?from=2026-10-20&to=2026-11-20', jobs, 'admin')
  await pressOn('选择开始日期')
  const further = calendar.getByRole('button', { name: '下个月' })
  await expect.element(further).toBeVisible()
  further.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(calendar.getByRole('heading', { name: '2026年11月' })).toBeVisible()
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  await expect.element(further).toHaveFocus()
  await userEvent.keyboard('{Enter}{Escape}')
  await expect.element(calendar).not.toBeInTheDocument()
})

test('on a phone every day is as large as a thumb', async () => {
  await open('/jobs?from=2026-11-20', jobs, 'admin')
  await page.viewport(390, 844)
  await main().getByRole('button', { name: '选择开始日期' }).click()
  await expect.element(calendar.getByRole('heading', { name: '2026年11月' })).toBeVisible()
  for (const part of calendar.element().querySelectorAll('header button, td > *')) {
    const { width, height, right } = part.getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    expect(right).toBeLessThanOrEqual(390)
  }
})

test('a time keeps its hours when another day is taken, and a wrong one is not sent', async () => {
  await open('/announcements', announcements, 'admin')
  await pressOn('发布公告')
  await field('标题').fill('机房搬迁')
  await field('内容').fill('周六开始。')
  await field('开始时间').fill('2030-01-0')
  await inDialog('发布').click()
  await expect.element(dialog.getByText('时间格式不正确')).toBeVisible()
  expect(await callsOf('announcements.create')).toEqual([])
  await field('开始时间').fill('2030-01-01 02:30')
  await dialog.getByRole('button', { name: '选择开始时间' }).click()
  await page.getByRole('button', { name: /2030年1月5日/ }).click()
  await expect.element(field('开始时间')).toHaveValue('2030-01-05 02:30')
})

test('the calendar shows every day of the week and the way to the next month on a narrow phone', async () => {
  await open('/jobs?from=2026-11-20', jobs, 'admin')
  await page.viewport(320, 740)
  await pressOn('选择开始日期')
  await expect.element(calendar.getByRole('button', { name: /2026年11月22日/ })).toBeVisible()
  const { left, right } = calendar.element().getBoundingClientRect()
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(320)
  await page.viewport(1440, 900)
})

test('in a dialog, too, the calendar that Enter opens has the focus on a day', async () => {
  await open('/announcements', announcements, 'admin')
  await pressOn('发布公告')
  await field('开始时间').fill('2030-01-01 02:30')
  page.getByRole('button', { name: '选择开始时间' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: /2030年1月1日/ })).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{Enter}')
  await expect.element(field('开始时间')).toHaveValue('2030-01-02 02:30')
})
