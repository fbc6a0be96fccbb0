import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectSoundEverywhere, main, open } from '../../testing/screen'
import { inDays, row } from '../../testing/things'

const shown = (label: string) => main().getByText(label, { exact: true }).element().parentElement?.textContent
const reads = { 'orders.list': { data: [row()] } }
const warning = () => main().getByText(/^余额不够 7 天内的自动续费/)

test('what renews itself within days is told, and nothing more where the balance covers it', async () => {
  const covered = { orders: 2, amount: 60.5, lacking: 0, lackingAt: null }
  await open('/dashboard', { ...reads, 'orders.renewalsAhead': { data: covered } })
  await expect.poll(() => shown('7 天内自动续费')).toBe('7 天内自动续费¥60.50')
  expect(warning().elements()).toEqual([])
})

test('a balance that does not cover them is warned of before a server stops, with the way to recharge', async () => {
  const short = { orders: 3, amount: 140, lacking: 40, lackingAt: inDays(2) }
  await open('/dashboard', { ...reads, 'orders.renewalsAhead': { data: short } })
  await expect.element(warning()).toMatchTextContent(/还差 ¥40\.00。不充值的话，\d{4}-\d\d-\d\d 起会有服务器到期暂停/)
  const link = page.getByRole('link', { name: '前往充值' })
  await expect.element(link).toHaveAttribute('href', '/recharge?amount=40.00')
  await expectSoundEverywhere()
})

test('where that could not be read, balance and cost are there all the same', async () => {
  await open('/dashboard', { ...reads, 'orders.renewalsAhead': { refused: 'INTERNAL' } })
  await expect.poll(() => shown('本月支出')).toBe('本月支出¥79.00')
  await expect.poll(() => shown('7 天内自动续费')).toBe('7 天内自动续费—')
})
