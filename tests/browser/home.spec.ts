/** The marketing page, also before its script. */
import { comeNear, expectSound, followSystemMode, note } from './states.js'
import { expect, test } from './test.js'

declare global {
  interface Window {
    /** Headlines in turn; a page's text where it has none. */
    seen: string[]
  }
}

test.beforeEach(({ page }) => followSystemMode(page))

test('home has every section and figure, and its buttons lead where they say', async ({ page }) => {
  await page.goto('/')
  const main = page.getByRole('main')
  await comeNear(page)
  await expect(page.getByRole('article')).toHaveCount(6 + 4)
  const stats = page.getByRole('region', { name: '用数字说话' })
  await expect(stats.getByRole('listitem')).toHaveCount(4)
  await expect(page.getByRole('region', { name: '可靠的技术基础' }).getByRole('article')).toHaveCount(4)
  await expect(page.getByRole('region', { name: '客户怎么说' }).getByRole('figure')).toHaveCount(3)
  for (const figure of ['99.9%', '7x24', '30 秒', '5 分钟', '15+', '10,000+', '7 天免费试用', '50ms'])
    await expect(main.getByText(figure).first(), figure).toBeVisible()
  await expectSound(page, 'home')

  for (const come of [() => page.evaluate(() => scrollTo(0, 0)), () => page.reload()]) {
    await come()
    await expect(stats).not.toBeInViewport({ ratio: 0.9 })
    await page.getByRole('button', { name: '立即开始' }).click()
    await expect(stats).toBeInViewport()
  }
  await comeNear(page)
  await expect(main.getByRole('link', { name: '查看产品' })).toHaveAttribute('href', '/sales')
  await expect(main.getByRole('link', { name: '免费试用' })).toHaveAttribute('href', '/auth')
  await main.getByRole('button', { name: '联系销售' }).click()
  await expect(page.getByRole('dialog', { name: '联系我们' })).toBeVisible()
})

test('a plan of the home page is the one that the shop then has chosen, at the same price', async ({ page }) => {
  await page.goto('/')
  const row = page.getByRole('region', { name: '套餐与价格' }).getByRole('row', { name: '香港标准型' })
  const price = await row.getByRole('cell').filter({ hasText: '¥' }).last().textContent()
  await row.getByRole('link').click()
  const chosen = page.getByRole('radio', { name: /^香港标准型/ })
  await expect(chosen).toBeChecked()
  await expect(page.getByRole('main')).toContainText(price ?? '')
})

test('without script the public pages say what is sold today, the terms, and the way on', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('稳定快速的云服务器，即开即用')
  const offers = (await (await page.request.get('/api/price-groups/active')).json()) as {
    data: { name: string; monthlyPrice: number; discountPercentage: number | null; hasDiscount: boolean }[]
  }
  await expect(page.getByText(/^低至 ¥\d+\.\d\d \/ 月$/)).toBeVisible()
  const plain = offers.data.find(({ hasDiscount, monthlyPrice }) => !hasDiscount && monthlyPrice > 0)
  await expect(page.getByRole('row', { name: plain?.name ?? '' })).toContainText(plain?.monthlyPrice.toFixed(2) ?? '')
  await page.getByRole('link', { name: '服务条款' }).click()
  await expect(page.getByRole('heading', { name: '退款政策' })).toBeVisible()
  await context.close()
})

test('before its script has come the page stands with headline and prices, then once, and nothing stands in for it', async ({
  page,
}) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/*.js', (route) => released.then(() => route.continue()))
  await page.addInitScript(() => {
    const seen: string[] = (window.seen = [])
    new MutationObserver(() => {
      const main = document.querySelector('main')
      const shown = main?.querySelector('h1')?.textContent ?? main?.textContent
      if (shown !== undefined && shown !== seen.at(-1)) seen.push(shown)
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/', { waitUntil: 'commit' })
  const headline = page.getByRole('heading', { level: 1 })
  await expect(headline).toHaveText('稳定快速的云服务器，即开即用')
  const price = page.getByText(/^低至 ¥\d+\.\d\d \/ 月$/)
  await expect(price).toBeVisible()
  const [said, place] = [await price.textContent(), await headline.boundingBox()]
  const row = page.getByRole('row', { name: '香港标准型' })
  await expect(row).toContainText('¥')
  const columns = () =>
    page.getByRole('columnheader').evaluateAll((heads) =>
      heads.slice(0, 5).map((head) => {
        const { x, width } = head.getBoundingClientRect()
        return [Math.round(x), Math.round(width)]
      }),
    )
  const before = await columns()
  expect(before).toHaveLength(5)
  await expectSound(page, 'home before its script')

  release()
  await expect(page.getByRole('link', { name: '登录' })).toBeVisible()
  for (const one of [headline, price, row, page.getByRole('main'), page.getByRole('contentinfo')])
    await expect(one).toHaveCount(1)
  await expect(price).toHaveText(said ?? '')
  expect(await headline.boundingBox()).toMatchObject({ x: place?.x, y: place?.y, height: place?.height })
  await expect.poll(columns).toEqual(before)
  expect(await page.evaluate(() => window.seen)).toEqual(['稳定快速的云服务器，即开即用'])
})

test('while a public page is being read, what comes moves nothing that is there', async ({ page }) => {
  // Held: a page whose script is refused is loaded anew by itself.
  await page.route('**/assets/*.js', () => {})
  for (const address of ['/', '/sales', '/status', '/terms'])
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(address, { waitUntil: 'commit' })
      await expect(page.getByRole('contentinfo').getByText('support@example.com')).toBeVisible()
      expect(await page.evaluate(movedBackwards), `${address} at ${width} px`).toEqual([])
    }
})

/** Runs in the page: takes away its last parts in turn, and tells what then moves. */
function movedBackwards(): string[] {
  const page = document.querySelector('.plain')!
  const places = () =>
    [...page.querySelectorAll('*')].flatMap((part) => {
      const { x, y, width, height } = part.getBoundingClientRect()
      return width > 0 && height > 0 && y < innerHeight ? [{ part, x, y }] : []
    })
  const moved: string[] = []
  for (let last: Node = page; ; last = page) {
    while (last.lastChild) last = last.lastChild
    // A word goes with its element.
    while (last instanceof Text && last.parentNode?.childNodes.length === 1) last = last.parentNode
    if (last === page) return moved
    const before = new Map(places().map((place) => [place.part, place]))
    last.parentNode?.removeChild(last)
    for (const { part, x, y } of places()) {
      const was = before.get(part)
      if (was && Math.hypot(x - was.x, y - was.y) >= 1)
        moved.push(`${was.x} ${was.y} → ${x} ${y}: ${part.outerHTML.slice(0, 80)}`)
    }
  }
}

test('before its script has come the page has the colours that were shown last', async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.querySelector('main section')!).backgroundColor)
  await page.addInitScript(() => localStorage.setItem('theme-preset', 'green'))
  await page.goto('/')
  await expect(page.getByRole('link', { name: '登录' })).toBeVisible()
  const shown = await ground()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme-light'))).not.toBeNull()
  await page.route('**/assets/*.js', () => {})
  await page.reload({ waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: '登录' })).toHaveCount(0)
  expect(await ground()).toBe(shown)
})

test('an address whose page is not public comes without content', async ({ request }) => {
  for (const address of ['/auth', '/dashboard', '/nowhere'])
    expect(await (await request.get(address)).text(), address).not.toContain('<main>')
})

test('the footer opens privacy, terms and contact; each channel is copied to the clipboard', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/payment/failed')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(/© \d{4} .+ · v1\.0\.0/)
  const dialog = page.getByRole('dialog')

  await footer.getByRole('button', { name: '隐私政策' }).click()
  await expect(dialog.getByRole('heading', { name: '隐私政策' })).toBeVisible()
  await expectSound(page, 'privacy')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await footer.getByRole('button', { name: '服务条款' }).click()
  await expect(dialog).toContainText('自 2025 年 1 月 1 日起生效')
  await expect(dialog).toContainText('服务开通后 7 天内且首个计费周期内可以申请退款，我们将在 5-10 个工作日内处理')
  await expectSound(page, 'terms')
  await page.keyboard.press('Escape')

  await footer.getByRole('button', { name: '联系我们' }).click()
  for (const channel of ['QQ 群', '邮箱', '微信']) {
    const line = dialog.getByRole('listitem').filter({ hasText: channel })
    await line.getByRole('button', { name: `复制${channel}` }).click()
    await expect(note(page, '联系方式已复制')).toBeVisible()
    // The note may still be that of the channel before.
    const shown = await line.locator('b').innerText()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
  }
  await expectSound(page, 'contact')
})

test('where the clipboard refuses, copying says so', async ({ page }) => {
  // The browser's own refusal, as by a policy.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } })
  })
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('button', { name: '联系我们' }).click()
  await page.getByRole('button', { name: '复制邮箱' }).click()
  await expect(note(page, '复制失败')).toBeVisible()
})
