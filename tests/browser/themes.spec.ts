import { demoAdmin, demoCustomer, enterAs } from './people.js'
import { expectColoursSettled, expectSound, violationsOf } from './states.js'
import { expect, test } from './test.js'

const presets = ['默认', '蓝色', '绿色', '紫色', '红色', '橙色', '青色', '靛蓝', '粉色', '琥珀']

test('light by default; the popup is 480 wide, and its choices are kept and follow the system in auto', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.goto('/')
  await expect(page.getByRole('button', { name: '主题设置' })).toBeVisible()
  const background = async () => {
    await expectColoursSettled(page)
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  }
  const light = await background()
  await page.getByRole('button', { name: '主题设置' }).click()
  const popup = page.getByRole('dialog', { name: '主题设置' })
  await expect(popup).toBeVisible()
  expect(Math.round((await popup.boundingBox())!.width)).toBe(480)
  await expect(popup.getByRole('group', { name: '显示模式' }).getByRole('radio')).toHaveCount(3)
  await expect(popup.getByRole('radio', { name: '浅色' })).toBeChecked()
  await expect(popup.getByRole('group', { name: '主题颜色' }).locator('label')).toHaveText(presets)
  await expectSound(page, 'the theme popup')
  await page.emulateMedia({ colorScheme: 'dark' })

  await popup.getByRole('radio', { name: '深色' }).check({ force: true })
  const dark = await background()
  expect(dark).not.toBe(light)
  expect(await page.evaluate(() => localStorage.getItem('theme-mode'))).toBe('dark')
  await popup.getByRole('radio', { name: '青色' }).check({ force: true })
  expect(await page.evaluate(() => localStorage.getItem('theme-preset'))).toBe('teal')
  await popup.getByRole('radio', { name: '跟随系统' }).check({ force: true })
  expect(await page.evaluate(() => localStorage.getItem('theme-mode'))).toBe('auto')
  expect(await background()).toBe(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(background).toBe(light)

  await page.reload()
  await page.getByRole('button', { name: '主题设置' }).click()
  await expect(popup.getByRole('radio', { name: '跟随系统' })).toBeChecked()
  await expect(popup.getByRole('radio', { name: '青色' })).toBeChecked()
})

test('every preset has its own colours in both modes, with contrast enough on the shop’s busiest screen', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const seen = new Set<string>()
  await page.goto('/sales')
  await expect(page.getByRole('group', { name: '选择套餐' })).toBeVisible()
  await page.getByRole('radio', { name: '按月' }).check({ force: true })
  await page.getByRole('button', { name: '主题设置' }).click()
  const popup = page.getByRole('dialog', { name: '主题设置' })
  for (const mode of ['浅色', '深色']) {
    await popup.getByRole('radio', { name: mode }).check({ force: true })
    for (const preset of presets) {
      await popup.getByRole('radio', { name: preset }).check({ force: true })
      await expectColoursSettled(page)
      const button = page.getByRole('button', { name: '立即购买', includeHidden: true }).first()
      seen.add(`${mode} ${await button.evaluate((element) => getComputedStyle(element).backgroundColor)}`)
      expect.soft(await violationsOf(page, ['color-contrast']), `${mode} ${preset}`).toEqual([])
    }
  }
  expect(seen.size).toBe(20)
})

test('where the system forces its colours what is chosen is framed, a switch is seen and what is open stands apart', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto('/sales')
  const period = (name: string) => page.getByRole('radio', { name }).locator('..')
  await page.getByRole('radio', { name: '按月' }).check({ force: true })
  await page.getByRole('button', { name: '主题设置' }).focus()
  await expect(period('按月')).toHaveCSS('outline-style', 'solid')
  await expect(period('按年')).toHaveCSS('outline-style', 'none')
  const group = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(group('香港 CN2')).toHaveCSS('outline-style', 'solid')
  await expect(group('上海 BGP')).toHaveCSS('outline-style', 'none')
  await expect(page.getByRole('switch').first().locator('+ span')).toHaveCSS('forced-color-adjust', 'none')
  await page.getByRole('button', { name: '主题设置' }).click()
  await expect(page.getByRole('dialog', { name: '主题设置' })).toHaveCSS('outline-style', 'solid')
})

test('where the system forces its colours what is disabled, a list to choose from, a slider and the menu one is in are seen', async ({
  page,
  context,
}) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto('/sales')
  await page.getByRole('radio', { name: '香港标准型' }).check({ force: true })
  await expect(page.getByRole('slider').first()).toHaveCSS('forced-color-adjust', 'none')
  await enterAs(context, await demoAdmin())
  await page.goto('/jobs')
  const menu = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(menu('机房')).toHaveCSS('outline-style', 'solid')
  await expect(menu('系统')).toHaveCSS('outline-style', 'none')
  await expect(page.getByRole('combobox').first()).toHaveCSS('background-image', /^url/)
  const grey = await page.evaluate(() => {
    const shown = document.body.appendChild(document.createElement('span'))
    shown.style.color = 'GrayText'
    return getComputedStyle(shown).color
  })
  // Its reason is read from it, so it is no button that cannot have the focus.
  const previous = page.getByRole('button', { name: '上一页' })
  await expect(previous).toHaveAttribute('aria-disabled', 'true')
  await expect(previous).toHaveCSS('color', grey)
  await expect(page.getByRole('button', { name: '下一页' })).not.toHaveCSS('color', grey)
})

test('where the system forces its colours what keeps its own has those of the system’s mode, and a cell, an entry and the part one is in are told apart', async ({
  page,
  context,
}) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '付款之后' }).locator('+ ol i').first()).toHaveCSS(
    'forced-color-adjust',
    'none',
  )
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--page'))
  const dark = await paper()
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'dark' })
  await expect.poll(paper).not.toBe(dark)
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await expect.poll(paper).toBe(dark)

  await page.goto('/auth')
  const point = page.getByRole('complementary').getByRole('listitem').first()
  await expect
    .poll(() => point.evaluate((one) => getComputedStyle(one, '::before').getPropertyValue('forced-color-adjust')))
    .toBe('none')
  await page.goto('/status')
  // Nobody may have looked yet.
  await expect(
    page
      .getByText(/^(正常|未知)$/)
      .first()
      .locator('i'),
  ).toHaveCSS('forced-color-adjust', 'none')

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').and(page.locator('[data-focused]'))).toHaveCSS('outline-style', 'solid')
  await expect(page.getByRole('menuitem').and(page.locator(':not([data-focused])')).first()).toHaveCSS(
    'outline-style',
    'none',
  )

  await enterAs(context, await demoCustomer())
  await page.goto('/profile')
  const line = (part: string) => page.getByRole('main').getByRole('link', { name: part, exact: true })
  await expect(line('登录设备')).toHaveCSS('border-bottom-color', 'rgb(0, 0, 0)')
})

test('on paper stands what a page says, black on white also in dark, as wide as it, and nothing that is pressed', async ({
  page,
  context,
}) => {
  await enterAs(context, await demoCustomer())
  await page.addInitScript(() => localStorage.setItem('theme-mode', 'dark'))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/orders')
  const main = page.getByRole('main')
  await expect(main.getByText('V2', { exact: false }).first()).toBeVisible()

  // A4 between its margins.
  const onPaper = async () => {
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 703, height: 1016 })
  }
  await onPaper()
  await expect(main.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(main.getByRole('columnheader').filter({ visible: true }).last()).toHaveText('自动续费')
  const pressed = page.getByRole('navigation').or(page.getByText(/^(选购服务器|支付|查看详情|管理服务器)$/))
  await expect(pressed.filter({ visible: true })).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)

  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1280, height: 400 })
  await main
    .getByRole('button', { name: /查看详情/ })
    .first()
    .click()
  const order = page.getByRole('dialog', { name: '订单详情' })
  await expect(order.getByText('计费周期')).toBeVisible()
  await onPaper()
  await expect(page.locator('main')).toBeHidden()
  const all = await order.evaluate((one) => one.scrollHeight)
  expect((await order.boundingBox())!.height).toBeGreaterThanOrEqual(all)
  await expect(order.getByText('计费周期')).toHaveCSS('color', 'rgb(0, 0, 0)')
})
