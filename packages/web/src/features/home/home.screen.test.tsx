import { siteAtFirst } from '@vps/shared/site'
import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { endScreen, expectSoundEverywhere, main, open } from '../../testing/screen'
import { category, group, id, offer } from '../../testing/things'

const soldOut = offer({ id: id(901), name: '售完型', monthlyPrice: 9, available: false })
const sold = { 'shop.groups': { data: [group] }, 'shop.priceGroups': { data: [offer(), soldOut] } }
const plans = () => page.getByRole('region', { name: '套餐与价格' })

test('the plans stand with their prices and stock, the smallest that can be bought in the head, each leading to the shop', async () => {
  await open('/', sold, 'visitor')
  await expect.element(main().getByText('低至')).toMatchTextContent('低至 ¥79.00 / 月')
  const row = plans().getByRole('row', { name: offer().name })
  await expect.element(row).toMatchTextContent('有货')
  await expect.element(row.getByRole('link')).toHaveAttribute('href', `/sales?group=${group.id}&plan=${offer().id}`)
  await expect.element(plans().getByRole('row', { name: '售完型' })).toMatchTextContent('售罄')
  await expect
    .element(page.getByRole('region', { name: '按用途选择' }).getByRole('link').first())
    .toMatchTextContent('¥79.00')
  await expectSoundEverywhere()
})

test('a plan of one long word stays beside its price', async () => {
  const [name, region] = ['W'.repeat(60), 'w'.repeat(60)]
  await open('/', {
    'shop.groups': { data: [{ ...group, region }] },
    'shop.priceGroups': { data: [offer({ name })] },
  })
  await expect.element(plans().getByText(name)).toBeVisible()
  for (const width of [1440, 768, 390, 360]) {
    await page.viewport(width, 900)
    const words = [...plans().element().querySelectorAll('th, th small')]
    expect(words.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)).toEqual([])
  }
  await page.viewport(1440, 900)
})

test('the table of plans has a name, here as in the shop', async () => {
  await open('/', sold, 'visitor')
  await expect.element(page.getByRole('table', { name: '套餐与价格' })).toBeVisible()
  await endScreen()
  await open('/sales', { ...sold, 'shop.categories': { data: [category] } }, 'visitor')
  await expect.element(page.getByRole('table', { name: '选择套餐' })).toBeVisible()
})

test('until enough was measured what is promised stands alone', async () => {
  await open('/', sold, 'visitor')
  await expect.element(page.getByRole('heading', { name: '30 秒部署' })).toBeVisible()
  expect(main().element().textContent).not.toContain('实测')
})

test('what was measured stands beside what is promised, and leads to the status page', async () => {
  const figures = { availability: 0.99987, measuredDays: 34, setUpSeconds: { p50: 23.4, p95: 41 } }
  await open('/', { ...sold, 'status.figures': { data: figures } }, 'visitor')
  const measured = main().getByRole('link', { name: '近 34 天实测 99.98%' })
  await expect.element(measured).toHaveAttribute('href', '/status')
  await expect.element(main().getByText('近 30 天实测：一半在 24 秒内装好，95% 在 41 秒内')).toBeVisible()
  await expectSoundEverywhere()
})

test('nothing is said of places that nobody set', async () => {
  await open('/', { ...sold, 'shop.site': { data: siteAtFirst } }, 'visitor')
  await expect.element(page.getByRole('heading', { name: '常见问题' })).toBeVisible()
  expect(page.getByRole('region', { name: '机房分布' }).elements()).toEqual([])
})

const places = '上海，31.2，121.5，/favicon.svg\n东京，35.7，139.7，https://nowhere.invalid/ping.png\n香港，22.3，114.2'
const settled = { ...sold, 'shop.site': { data: { ...siteAtFirst, places } } }
const map = () => page.getByRole('region', { name: '机房分布' })

test('how far each place is the visitor’s browser measures when asked, and says where it cannot', async () => {
  await open('/', settled, 'visitor')
  const row = (name: string) => map().getByRole('row', { name })
  await expect.element(row('上海')).toMatchTextContent('—')
  await expectSoundEverywhere()
  const asked = () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('nowhere.invalid'))
  expect(asked()).toEqual([])
  const button = map().getByRole('button', { name: '测速' })
  await button.click()
  await expect.element(row('上海')).toMatchTextContent(/\d+ ms/)
  await expect.element(row('东京')).toMatchTextContent('无法测量')
  await expect.element(button).not.toHaveAttribute('aria-busy')
  expect(row('香港').element().textContent).toBe('香港')
  await expectSoundEverywhere()
})

test('the console is shown as it is, in the mode of the page, with room kept for it', async () => {
  await open('/', sold, 'visitor')
  const picture = main().getByRole('img', { name: '服务器控制台' })
  await expect.element(picture).toHaveAttribute('src', '/console-light-desktop.webp')
  expect(Number(picture.element().getAttribute('width'))).toBeGreaterThan(0)
  await commands.preferColours('dark')
  await expect.element(picture).toHaveAttribute('src', '/console-dark-desktop.webp')
  await commands.preferColours('light')
})

test('without prices the page stands, and claims none', async () => {
  const unread = { 'shop.groups': 'a missing path', 'shop.priceGroups': 'a missing path' } as const
  await open('/', { ...unread, 'shop.site': { data: siteAtFirst } }, 'visitor')
  await expect.element(page.getByRole('heading', { name: '常见问题' })).toBeVisible()
  expect(main().element().textContent).not.toContain('低至')
})

test.each([
  ['/terms', '服务条款', '退款政策'],
  ['/privacy', '隐私政策', '信息的共享'],
])('at %s stands the text of the settings', async (address, title, heading) => {
  await open(address, {}, 'visitor')
  await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect.element(main().getByRole('heading', { level: 2, name: heading })).toBeVisible()
  await expectSoundEverywhere()
})

test('a legal text that could not be read says so on its page', async () => {
  await open('/terms', { 'shop.site': { refused: 'NOT_FOUND' } }, 'visitor')
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载服务条款失败')
})
