import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { field, notices, pressOn } from '../../testing/act'
import { drawn, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { category, group, id, offer } from '../../testing/things'

const selling = (...offers: ReturnType<typeof offer>[]): Script => ({
  'shop.categories': { data: [category] },
  'shop.groups': { data: [group] },
  'shop.priceGroups': { data: offers },
})
const summary = main().getByRole('complementary', { name: '订单摘要' })
const buy = summary.getByRole('button', { name: '立即购买' })
const slider = (name: string) => main().getByRole('slider', { name })
const period = (name: string) => main().getByRole('radio', { name: new RegExp(`^${name}，¥`) })

async function type(name: string, value: string): Promise<void> {
  await main()
    .getByRole('textbox', { name: `${name}数值` })
    .fill(value)
  await userEvent.keyboard('{Enter}')
}

test('without a group there is a welcome page with four sections and the way to contact', async () => {
  await open('/sales', selling(offer()), 'visitor')
  await pressOn('产品概览')
  for (const section of ['核心规格', '技术特性', '使用场景', '服务保障'])
    await expect.element(page.getByRole('heading', { name: section })).toBeVisible()
  await expectSoundEverywhere()
  await pressOn('联系我们')
  await expect.element(page.getByRole('dialog', { name: '联系我们' })).toBeVisible()
})

test('a shop in which nothing is sold yet says so, and points to no groups', async () => {
  await open('/sales', { ...selling(), 'shop.categories': { data: [] }, 'shop.groups': { data: [] } }, 'visitor')
  await expect.element(main().getByText('暂无在售产品，请稍后再来看看。')).toBeVisible()
  expect(main().getByText('选择左侧的地区分组', { exact: false }).elements()).toEqual([])
  expect(main().getByRole('button', { name: '浏览套餐' }).elements()).toEqual([])
  await expectSoundEverywhere()
})

test('where the address is shared, plan and summary say so, with the ports of as many as are chosen', async () => {
  await open('/sales', selling(offer({ natPorts: 20 })), 'visitor')
  await expect.element(summary.getByText('共享 IPv4（NAT），含 20 个端口')).toBeVisible()
  await expect.element(main().getByText('共享 IPv4（NAT），含 20 个端口').first()).toBeVisible()
  await type('IP 数量', '2')
  await expect.element(summary.getByText('共享 IPv4（NAT），含 40 个端口')).toBeVisible()
  await expectSoundEverywhere()
})

test('a group that sells nothing says so and where else to look', async () => {
  await open(`/sales?group=${group.id}`, selling(), 'visitor')
  await expect.element(main().getByText('该分组暂无在售套餐')).toBeVisible()
  await expectSoundEverywhere()
})

test('the sliders have their limits, and numbers out of them are brought back', async () => {
  await open('/sales', selling(offer()), 'visitor')
  for (const [name, min, max, step] of [
    ['CPU', 1, 32, 1],
    ['内存', 1, 128, 1],
    ['存储', 20, 2000, 10],
    ['带宽', 1, 1000, 1],
    ['IP 数量', 1, 10, 1],
  ] as const) {
    await expect.element(slider(name)).toHaveAttribute('min', String(min))
    await expect.element(slider(name)).toHaveAttribute('max', String(max))
    await expect.element(slider(name)).toHaveAttribute('step', String(step))
    await type(name, '99999')
    await expect.element(slider(name)).toHaveValue(String(max))
    await type(name, '0')
    await expect.element(slider(name)).toHaveValue(String(min))
  }
  await type('存储', '57')
  await expect.element(slider('存储')).toHaveValue('60')
  slider('CPU').element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(slider('CPU')).toHaveValue('2')
})

const label = (name: string) => period(name).element().closest('label')?.textContent

test('periods show their price, the saving and what is recommended, and the quote follows each choice', async () => {
  const prices = { monthlyPrice: 88, quarterlyPrice: 255, semiAnnualPrice: 488, annualPrice: 880 }
  const unitRates = { ...offer().unitRates, cpu: 22 }
  await open('/sales', selling(offer({ ...prices, unitRates })), 'visitor')
  await expect.element(period('按月')).toBeInTheDocument()
  expect(main().getByRole('group', { name: '计费周期' }).getByRole('radio').elements()).toHaveLength(6)
  expect(label('按月')).toContain('推荐')
  // Against 88 a month, rounded: 264 to 255, 528 to 488, 1056 to 880.
  expect(label('按季')).toContain('省 3%')
  expect(label('按半年')).toContain('省 8%')
  expect(label('按年')).toContain('省 17%')
  expect(label('按年')).not.toContain('推荐')
  await period('按月').click({ force: true })
  await expect.element(summary).toMatchTextContent('¥88.00')
  await type('CPU', '4')
  await expect.element(summary).toMatchTextContent('CPU ×2')
  await expect.element(summary).toMatchTextContent('¥132.00')
})

test('a discount is taken off every period, and the year is recommended from 20 %', async () => {
  const discount = { hasDiscount: true, discountPercentage: 20, monthlyPrice: 49 }
  await open('/sales', selling(offer(discount)), 'visitor')
  await period('按月').click({ force: true })
  await expect.element(summary).toMatchTextContent('优惠')
  await expect.element(summary).toMatchTextContent('¥39.20')
  expect(label('按天')).toContain('省 20%')
  expect(label('按年')).toContain('推荐')
})

test('the recommended month is chosen where it is sold', async () => {
  await open('/sales', selling(offer()), 'visitor')
  await expect.element(period('按月')).toBeChecked()
  await expect.element(summary).toMatchTextContent('¥79.00')
})

test('where no month is sold buying asks for a period, once', async () => {
  // The administration asks for six prices; an older price group may have fewer.
  await open('/sales', selling(offer({ monthlyPrice: 0 })), 'visitor')
  await expect.element(period('按小时')).toBeInTheDocument()
  expect(period('按月').elements()).toEqual([])
  await buy.click()
  await expect.element(summary.getByRole('alert')).toMatchTextContent('请先选择价格')
  const shown = page.getByText('请先选择价格').elements()
  expect(shown.filter((one) => one.checkVisibility())).toHaveLength(1)
  await expectSoundEverywhere()
  await period('按小时').click({ force: true })
  await expect.element(summary.getByRole('alert')).not.toBeInTheDocument()
})

test('buying asks for a good port and password, and a visitor to sign in', async () => {
  const osOptions = [
    { name: 'Debian', versions: ['12'] },
    { name: 'Ubuntu', versions: ['22.04 LTS', '24.04 LTS'] },
  ]
  await open('/sales', selling(offer({ osOptions })), 'visitor')
  await expect.element(page.getByRole('switch', { name: '自动续费' })).toBeChecked()
  await field('SSH端口').fill('80')
  await expect.element(main().getByText('端口需为1024-65535的整数').first()).toBeVisible()
  await buy.click()
  await expect.element(summary.getByRole('alert')).toMatchTextContent('端口需为1024-65535的整数')
  await expectSoundEverywhere()
  await pressOn('随机端口')
  const port = () => Number(field('SSH端口').element().getAttribute('value'))
  await expect.poll(port).toBeGreaterThanOrEqual(1024)
  expect(port()).toBeLessThanOrEqual(65_535)

  for (const [wrong, fault] of [
    ['Ab1', '密码长度至少需要8个字符'],
    ['abcdefg1', '密码必须包含大写字母'],
    ['ABCDEFG1', '密码必须包含小写字母'],
    ['Abcdefgh', '密码必须包含数字'],
  ] as const) {
    await field('初始密码').fill(wrong)
    await expect.element(main().getByText(fault)).toBeVisible()
  }
  await pressOn('生成密码')
  await expect.element(field('初始密码')).toHaveValue(expect.stringMatching(/^[A-HJ-NP-Za-km-z2-9]{12}$/))

  await page.getByRole('radio', { name: 'Ubuntu' }).click({ force: true })
  await expect.element(field('系统版本')).toHaveValue('24.04 LTS')
  await buy.click()
  await expect.element(notices.getByText('请先登录后再购买')).toBeVisible()
  expect(location.pathname).toBe('/auth')
})

const osaka = { ...group, id: id(32), name: '大阪', city: '大阪' }
const large = offer({
  id: id(33),
  name: '大阪计算型',
  serverGroupId: osaka.id,
  monthlyPrice: 188,
  included: { ...offer().included, cpuCores: 8, memoryGb: 16 },
  available: false,
})
const twoRegions = { ...selling(offer(), large), 'shop.groups': { data: [group, osaka] } }
const plans = main().getByRole('group', { name: '选择套餐' }).getByRole('radio')

test('the plans of a category are compared over its regions, filtered, and chosen where they are', async () => {
  await open('/sales', twoRegions, 'visitor')
  await expect.poll(() => plans.elements()).toHaveLength(1)
  await field('地区').selectOptions('全部地区')
  await expect.poll(() => plans.elements()).toHaveLength(2)
  await expectSoundEverywhere()
  await field('至少 CPU').selectOptions('8 核起')
  await expect.poll(() => plans.elements()).toHaveLength(1)
  await main().getByText('只看有货').click({ force: true })
  await expect.element(main().getByText('没有符合条件的套餐')).toBeVisible()
  await pressOn('清除筛选条件')
  await page.getByRole('radio', { name: '大阪计算型，8 核 16 GB，¥188.00 / 月，售罄' }).click({ force: true })
  expect(new URLSearchParams(location.search).get('group')).toBe(osaka.id)
  await expect.element(summary).toMatchTextContent('大阪计算型')
  await expect.element(summary.getByRole('button', { name: '已售罄' })).toBeDisabled()
})

test('each amount says that the price covers it or what it adds, and a preset what it costs', async () => {
  await open('/sales', selling(offer()), 'visitor')
  await expect.element(slider('CPU')).toHaveAttribute('aria-valuetext', '2 核，含在套餐内')
  await page.getByRole('radio', { name: '标准 4 核 8 GB，¥120.00 / 月' }).click({ force: true })
  await expect.element(slider('CPU')).toHaveAttribute('aria-valuetext', '4 核，超出部分 +¥20.00')
  await expect.element(summary).toMatchTextContent('¥120.00')
})

test('a dedicated server is shown as it stands: nothing of it can be moved', async () => {
  await open('/sales', selling(offer({ dedicated: true })), 'visitor')
  await expect.element(main().getByText('整机独享，配置固定')).toBeVisible()
  await expect.element(main().getByRole('definition').filter({ hasText: 'Mbps' }).first()).toBeVisible()
  expect(main().getByRole('slider').elements()).toEqual([])
  await expectSoundEverywhere()
})

const quantity = main().getByRole('spinbutton', { name: '数量' })
const more = main().getByRole('button', { name: '增加数量' })
const fewer = main().getByRole('button', { name: '减少数量' })

test('one to ten are bought at once: by buttons, keys and typed, and every price is theirs', async () => {
  await open('/sales', selling(offer()), 'visitor')
  await expect.element(quantity).toHaveValue(1)
  await expect.element(fewer).toHaveAttribute('aria-disabled', 'true')
  await fewer.click({ force: true })
  await expect.element(quantity).toHaveValue(1)
  await more.click()
  await more.click()
  await expect.element(quantity).toHaveValue(3)
  await expect.element(summary).toMatchTextContent('每台 ×3')
  await expect.element(summary).toMatchTextContent('¥79.00')
  await expect.element(summary).toMatchTextContent('¥237.00')
  await expectSoundEverywhere()
  quantity.element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(summary).toMatchTextContent('¥316.00')
  for (const [typed, settled] of [
    ['99', 10],
    ['0', 1],
    ['', 1],
    ['7', 7],
  ] as const) {
    await quantity.fill(typed)
    await userEvent.keyboard('{Tab}')
    await expect.element(quantity).toHaveValue(settled)
  }
  await page.viewport(390, 844)
  await expect.element(page.getByText('按月 · 7 台')).toBeVisible()
  await expect.element(page.getByText('¥553.00').last()).toBeVisible()
  await page.viewport(1440, 900)
})

test('who scrolls on with the wheel over the number buys no more and no fewer', async () => {
  await open('/sales', selling(offer()), 'visitor')
  await more.click()
  await quantity.click()
  await userEvent.wheel(quantity, { delta: { y: -100 }, times: 3 })
  await expect.element(quantity).not.toHaveFocus()
  await expect.element(quantity).toHaveValue(2)
})

test('another plan keeps how many were wanted', async () => {
  const other = offer({ id: id(34), name: '香港计算型', monthlyPrice: 100 })
  await open('/sales', selling(offer(), other), 'visitor')
  await more.click()
  await page.getByRole('radio', { name: /香港计算型/ }).click({ force: true })
  await expect.element(summary).toMatchTextContent('¥200.00')
})

test('a year at a large price with a discount lies within the narrowest phone', async () => {
  const dear = offer({ annualPrice: 12_888, hasDiscount: true, discountPercentage: 15 })
  await open('/sales', selling(dear), 'visitor')
  await page.viewport(320, 700)
  await expect.element(period('按年')).toBeInTheDocument()
  await drawn()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
  await page.viewport(1440, 900)
})
