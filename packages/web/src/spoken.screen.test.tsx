/** What is said to whoever does not see the screen. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, field, inQuestion, question } from './testing/act'
import { consoleAddress, consoleReads } from './testing/customers-acts'
import { job, priceGroup } from './testing/operators-things'
import { answer, main, open } from './testing/screen'
import type { Script } from './testing/script'
import { category, details, endedJob, group, id, inDays, offer, pageOf, payment, row } from './testing/things'

const summary = { data: { paid: 100, pending: 0, failed: 0, count: 25 } }
const payments = (total: number): Script => ({
  'payments.list': {
    data: { ...pageOf(...(total > 0 ? [payment] : [])), totalElements: total, totalPages: Math.ceil(total / 10) },
  },
  'payments.summary': summary,
})

const shop: Script = {
  'shop.categories': { data: [category] },
  'shop.groups': { data: [group] },
  'shop.priceGroups': { data: [offer()] },
}

/** Of what says by itself that it has changed. */
const statuses = () => [...main().element().querySelectorAll('[role=status]')].map(({ textContent }) => textContent)

const hasFocus = () => main().element().contains(document.activeElement)

/** Which is read out as a description after the name, where that has none of its own. */
const isSaidTwice = (one: Element) =>
  one.getAttribute('aria-label') === one.getAttribute('title') && !one.hasAttribute('aria-description')

describe('another page', () => {
  test('is said by its name, which the focus is led to once it is known', async () => {
    await open('/orders', { 'orders.page': { data: pageOf(row()) }, 'orders.list': { data: [] } })
    await expect.element(page.getByRole('main', { name: '订单' })).toBeVisible()
    const heard: (string | null)[] = []
    main()
      .element()
      .addEventListener('focus', () => heard.push(main().element().getAttribute('aria-label')))
    page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '控制台' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('main', { name: '控制台' })).toHaveFocus()
    expect(heard.at(-1)).toBe('控制台')
    expect(heard).not.toContain('订单')
  })

  test('is not said again where its title tells how far something is', async () => {
    await open(consoleAddress, consoleReads)
    await expect.element(page.getByRole('main', { name: '服务器管理' })).toBeVisible()
    await expect.poll(() => document.title).toContain(row().serverName)
    await expect.element(page.getByRole('main', { name: '服务器管理' })).toBeVisible()
  })
})

describe('a list', () => {
  test('says how many a search found, and which page came; read anew, it says nothing', async () => {
    await open('/payment/history', payments(25))
    await expect.poll(statuses).toContain('找到 25 条，第 1 页')
    await answer(payments(25))
    await main().getByRole('button', { name: '下一页' }).click()
    await expect.poll(statuses).toContain('找到 25 条，第 2 页')
    await answer(payments(26))
    await main().getByRole('button', { name: '刷新' }).click()
    await expect.element(main().getByText('共 26 条')).toBeVisible()
    expect(statuses()).toContain('找到 25 条，第 2 页')
    await answer(payments(0))
    await main().getByLabelText('搜索', { exact: true }).fill('zzz')
    await expect.poll(statuses).toContain('找到 0 条')
  })

  test('whose count is rough says so', async () => {
    const rough = { ...pageOf(payment), totalElements: 12_000, totalPages: 1200, totalIsEstimate: true }
    await open('/payment/history', { ...payments(0), 'payments.list': { data: rough } })
    await expect.poll(statuses).toContain('找到约 12000 条，第 1 页')
  })

  test('that is there again after 重试 leaves the focus to what stands beside, and a second failure is said again', async () => {
    await open('/payment/history', { ...payments(1), 'payments.list': 'a proxy’s page' })
    const retry = main().getByRole('button', { name: '重试' })
    await expect.element(retry).toBeVisible()
    const said = main().getByRole('alert').element()
    retry.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => said.isConnected).toBe(false)
    await expect.element(main().getByRole('alert')).toBeVisible()
    await expect.poll(hasFocus).toBe(true)
    await answer(payments(1))
    retry.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(retry).not.toBeInTheDocument()
    await expect.poll(hasFocus).toBe(true)
  })

  test('says how many are chosen from the first one on', async () => {
    await open('/dashboard', { 'orders.list': { data: [row()] } })
    const box = main().getByRole('checkbox', { name: `选择 ${row().serverName}` })
    await expect.element(box).toBeVisible()
    const before = [...main().element().querySelectorAll('[role=status]')]
    await box.click()
    await expect.poll(() => before.map(({ textContent }) => textContent)).toContain('选中 1 台，可在页面末尾操作')
  })
})

test('a hint that goes with its own 重试 leaves the focus to what stands beside', async () => {
  const failing: Script = { 'console.metrics': 'a proxy’s page' }
  await open(`${consoleAddress}?part=monitoring`, { ...consoleReads, ...failing })
  const retry = main().getByRole('button', { name: '重试' })
  await expect.element(retry).toBeVisible()
  retry.element().focus()
  await answer(consoleReads)
  await userEvent.keyboard('{Enter}')
  await expect.element(retry).not.toBeInTheDocument()
  await expect.poll(hasFocus).toBe(true)
})

test('a problem that is closed leaves the focus to what stands beside', async () => {
  await open('/auth', {}, 'visitor')
  await main().getByRole('button', { name: '登录', exact: true }).click()
  const close = main().getByRole('button', { name: '关闭提示' })
  await expect.element(close).toBeVisible()
  close.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(close).not.toBeInTheDocument()
  await expect.poll(hasFocus).toBe(true)
})

test('a button of a picture is said once: what the mouse is told is its name, and no description', async () => {
  await open('/payment/history', payments(25))
  await expect.element(main().getByRole('button', { name: '下一页' })).toBeVisible()
  expect([...document.querySelectorAll('[title]')].filter(isSaidTwice)).toEqual([])
})

test('a question says what it asks as it opens, not its buttons alone', async () => {
  await open(consoleAddress, consoleReads)
  await main().getByRole('button', { name: '重启', exact: true }).click()
  await expect.element(inQuestion('取消')).toHaveFocus()
  await expect.element(question).toHaveAccessibleDescription(expect.stringContaining('将重启'))
})

test('the amount due is said whole, with what it is', async () => {
  await open('/sales', shop, 'visitor')
  await expect.element(main().getByText('应付金额')).toBeVisible()
  const due = main().getByText('应付金额').element().closest('[aria-live]')
  expect(due).toHaveAttribute('aria-atomic', 'true')
})

test('a purchase that a wrong field stops leads to that field', async () => {
  await open('/sales', shop, 'visitor')
  await field('初始密码').fill('abc')
  await main().getByRole('complementary').getByRole('button', { name: '立即购买' }).click()
  await expect.element(field('初始密码')).toHaveFocus()
})

test('a number’s unit is said with its field, beside what is wrong with it', async () => {
  await open(
    '/price-groups',
    { 'catalogue.groups': { data: pageOf() }, 'catalogue.priceGroups': { data: pageOf(priceGroup()) } },
    'admin',
  )
  await choose(priceGroup().name, '应用折扣')
  await expect.element(field('折扣百分比')).toHaveAccessibleDescription('%')
})

test('what only decorates is not said: no mark before a line', async () => {
  await open(`${consoleAddress}?part=disk`, { ...consoleReads, 'snapshots.list': { data: [] } })
  await expect.element(main().getByText('还没有快照')).toBeVisible()
  const marks = [...main().element().querySelectorAll('*')].map((one) => getComputedStyle(one, '::before').content)
  expect(marks.filter((mark) => /^"[^"]+"$/.test(mark))).toEqual([])
})

test('a chart’s figures say of which chart they are', async () => {
  const figures = { cpuUsage: 10, memoryUsage: 50, diskUsage: 30, rxRate: 1000, txRate: 500 }
  const points = [3, 2, 1].map((minutes) => ({ at: inDays(-minutes / 1440), ...figures }))
  const measured: Script = { 'console.metrics': { data: { range: 'hour', stepSeconds: 60, points } } }
  await open(`${consoleAddress}?part=monitoring`, { ...consoleReads, ...measured })
  await expect.element(main().getByRole('slider', { name: '资源使用率的时间点' })).toBeInTheDocument()
  const names = [...main().element().querySelectorAll('summary')].map((one) => one.getAttribute('aria-label'))
  expect(names).toEqual(['查看数据：资源使用率', '查看数据：网络流量'])
})

test('a date that is none is said with its field, also to whoever comes back to it', async () => {
  await open('/jobs', { 'jobs.list': { data: pageOf(job()) } }, 'admin')
  const from = field('开始日期')
  await from.fill('2026-13-40')
  await userEvent.keyboard('{Tab}')
  await expect.element(from).toHaveAttribute('aria-invalid', 'true')
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(from).toHaveFocus()
  await expect.element(from).toHaveAccessibleDescription('日期格式不正确')
})

describe('an act that takes long', () => {
  test('says its steps, not each hundredth of its way', async () => {
    const step = {
      name: 'copy',
      label: '复制磁盘',
      status: 'running',
      startedAt: inDays(-1),
      finishedAt: null,
    } as const
    const running = {
      ...endedJob('backup'),
      id: id(90),
      finishedAt: null,
      status: 'RUNNING',
      startedAt: inDays(-1),
    } as const
    await open(consoleAddress, {
      ...consoleReads,
      'console.details': { data: details({ openJob: { id: id(90), kind: 'backup' } }) },
      'jobs.get': { data: { ...running, steps: [step], percentage: 37 } },
    })
    await expect.element(main().getByText('37%')).toBeVisible()
    const said = statuses().find((words) => words?.includes('复制磁盘'))
    expect(said).not.toContain('37%')
  })
})

test('a search everywhere that finds nothing says so; what it finds first is said by itself', async () => {
  await open('/orders', { 'orders.page': { data: pageOf() }, 'orders.list': { data: [] } })
  await page.getByRole('button', { name: '快速跳转 (Ctrl K)' }).click()
  const said = page.getByRole('dialog').getByRole('status')
  await expect.element(said).toBeInTheDocument()
  await page.getByRole('textbox', { name: '搜索服务器、订单、页面或操作' }).fill('zzz')
  await expect.element(said).toHaveTextContent('没有结果')
  await page.getByRole('textbox', { name: '搜索服务器、订单、页面或操作' }).fill('公告')
  await expect.poll(() => said.element().textContent).toBe('')
})

test('what the library says is Chinese, whatever the browser’s language', async () => {
  const speak = () => window.dispatchEvent(new Event('languagechange'))
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'language')
    speak()
  })
  speak()
  await open('/dashboard', { 'orders.list': { data: [row()] } })
  await main()
    .getByRole('button', { name: `${row().serverName} 的更多操作` })
    .click()
  const buttons = page.getByRole('dialog').getByRole('button', { includeHidden: true })
  await expect.poll(() => buttons.elements().map((one) => one.getAttribute('aria-label'))).toEqual(['取消', '取消'])
})
