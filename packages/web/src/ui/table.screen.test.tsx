import { describe, expect, test, vi } from 'vitest'
import { commands, page } from 'vitest/browser'
import { answer, callsOf, endScreen, expectSoundEverywhere, main, open } from '../testing/screen'
import type { Script } from '../testing/script'
import { id, payment, pageOf, row } from '../testing/things'

const orders: Script = {
  'orders.page': { data: pageOf(row(), row({ id: id(12_002), orderNumber: 'V261027ZZZZZZZZZZ', status: 'PENDING' })) },
}
const payments: Script = {
  'payments.list': { data: { ...pageOf(payment), totalElements: 25, totalPages: 3 } },
  'payments.summary': { data: { paid: 100, pending: 0, failed: 0, count: 25 } },
}

test('the customer’s transactions are asked for from one day to another, whose names stand in the fields', async () => {
  const summary = { income: 0, expense: 0, count: 0, pending: 0 }
  const reads: Script = { 'wallet.page': { data: pageOf() }, 'wallet.summary': { data: summary } }
  await open('/transactions?from=2026-11-01', reads)
  await expect.element(main().getByLabelText('开始日期', { exact: true })).toHaveValue('2026-11-01')
  await main().getByPlaceholder('结束日期').fill('2026-11-03')
  await expect
    .poll(() => callsOf('wallet.page'))
    .toContainEqual(expect.objectContaining({ from: '2026-11-01', to: '2026-11-03' }))
  await expectSoundEverywhere()
  await endScreen()
})

describe('a list on a desk', () => {
  test('is a table with a name, a head for each column and a row for each record', async () => {
    await open('/orders', orders)
    const table = main().getByRole('table', { name: '订单' })
    await expect.element(table.getByText('V261027ZZZZZZZZZZ')).toBeVisible()
    expect(table.getByRole('row').elements()).toHaveLength(3)
    const heads = table.getByRole('columnheader').elements()
    expect(heads.map(({ textContent }) => textContent)).toEqual([
      '订单号',
      '状态',
      '金额',
      '配置',
      '创建时间',
      '到期时间',
      '自动续费',
      '操作',
    ])
  })

  test('a row that comes while somebody looks is noticed, on a phone too; what was there is not', async () => {
    const one = { 'orders.page': { data: pageOf(row()) } }
    const arrived = () => document.querySelectorAll('[data-arrived]').length
    for (const width of [1440, 390]) {
      await open('/orders', one)
      await page.viewport(width, 900)
      await expect.element(main().getByText(row().orderNumber)).toBeVisible()
      expect(arrived()).toBe(0)
      await answer(orders)
      await main().getByRole('button', { name: '刷新' }).click()
      await expect.element(main().getByText('V261027ZZZZZZZZZZ')).toBeVisible()
      expect(arrived()).toBe(1)
      await endScreen()
    }
  })

  test('rows that another order puts elsewhere are seen to go there, on a phone too; not where motion is not wanted', async () => {
    const [one, two] = [row(), row({ id: id(12_003), orderNumber: 'V261027YYYYYYYYYY' })]
    const inOrder = (...rows: (typeof one)[]) => ({ 'orders.page': { data: pageOf(...rows) } })
    const animate = vi.spyOn(Element.prototype, 'animate')
    const firstIs = async (number: string) => {
      await expect.poll(() => document.querySelector('main [data-row]')?.textContent).toContain(number)
    }
    const reorder = async (first: typeof one, second: typeof one) => {
      await answer(inOrder(first, second))
      await main().getByRole('button', { name: '刷新' }).click()
      await firstIs(first.orderNumber)
    }
    for (const width of [1440, 390]) {
      await open('/orders', inOrder(one, two))
      await page.viewport(width, 900)
      await firstIs(one.orderNumber)
      animate.mockClear()
      await commands.preferMotion('no-preference')
      await reorder(two, one)
      expect(
        animate.mock.contexts.map((moved) => moved instanceof Element && moved.textContent.includes(two.orderNumber)),
      ).toEqual([true, false])
      await commands.preferMotion('reduce')
      await reorder(one, two)
      expect(animate).toHaveBeenCalledTimes(2)
      await endScreen()
    }
  })

  test('is read again by a press also while it is read anyway', async () => {
    const pending = { ...payment, status: 'PENDING', completedAt: null } as const
    const read: Script = {
      ...payments,
      'payments.list': { data: pageOf(pending) },
      'payments.status': { data: pending },
    }
    await open('/payment/history', read)
    await expect.element(main().getByText(payment.outTradeNo)).toBeVisible()
    await answer({ ...read, 'payments.list': 'no answer' })
    // What was asked about one payment has the list looked at, too.
    await main()
      .getByRole('button', { name: /刷新状态/ })
      .click()
    await expect.poll(() => callsOf('payments.list')).toHaveLength(1)
    await main().getByRole('button', { name: '刷新', exact: true }).click()
    // Chromium keeps a request back while it waits for the same one's answer.
    await answer(read)
    await expect.poll(() => callsOf('payments.list')).toHaveLength(1)
  })

  test('keeps the two buttons that turn its pages in one line, down to 300 px', async () => {
    await open('/payment/history', payments)
    const top = (name: string) => main().getByRole('button', { name }).element().getBoundingClientRect().top
    await expect.element(main().getByText('1 / 3')).toBeVisible()
    for (const width of [390, 360, 320, 300]) {
      await page.viewport(width, 844)
      await expect.poll(() => document.documentElement.clientWidth).toBeLessThanOrEqual(width)
      expect(top('下一页'), `${width} px`).toBe(top('上一页'))
    }
  })

  test('keeps a menu beside its row while others come before it', async () => {
    const one = row()
    await open('/orders', { 'orders.page': { data: pageOf(one) } })
    const button = page.getByRole('button', { name: `订单 ${one.orderNumber} 的更多操作`, includeHidden: true })
    await button.click()
    const menu = page.getByRole('menu')
    await expect.element(menu).toBeVisible()
    const below = () => {
      const gap = menu.element().getBoundingClientRect().top - button.element().getBoundingClientRect().bottom
      return gap >= 0 && gap < 20
    }
    await expect.poll(below).toBe(true)
    const { top } = button.element().getBoundingClientRect()
    await answer({ 'orders.page': { data: pageOf(row({ id: id(12_002), orderNumber: 'V261027ZZZZZZZZZZ' }), one) } })
    // What lies behind a menu is heard by nobody, so the press is made for it.
    page
      .getByRole('button', { name: '刷新', exact: true, includeHidden: true })
      .element()
      .dispatchEvent(new MouseEvent('click', { bubbles: true }))
    await expect.poll(() => button.element().getBoundingClientRect().top).toBeGreaterThan(top + 20)
    await expect.poll(below).toBe(true)
  })

  test('tells by which column it is sorted, and asks the server for the other way round', async () => {
    await open('/payment/history', payments)
    const head = (name: string) => main().getByRole('columnheader', { name })
    await expect.element(head('创建时间')).toHaveAttribute('aria-sort', 'descending')
    await expect.element(head('金额')).toHaveAttribute('aria-sort', 'none')
    // Those that are on their way side by side may come in either order.
    await expect.poll(() => callsOf('payments.list')).toHaveLength(1)
    await head('创建时间').getByRole('button').click()
    await expect.element(head('创建时间')).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(() => callsOf('payments.list')).toHaveLength(2)
    await head('金额').getByRole('button').click()
    await expect.element(head('金额')).toHaveAttribute('aria-sort', 'descending')
    await expect
      .poll(async () => (await callsOf('payments.list')).map((input) => input))
      .toEqual([
        expect.objectContaining({ sort: 'createdAt', descending: true }),
        expect.objectContaining({ sort: 'createdAt', descending: false }),
        expect.objectContaining({ sort: 'money', descending: true }),
      ])
    expect(location.search).toContain('sort=money')
  })

  test('a column that the server cannot sort by has no button', async () => {
    await open('/payment/history', payments)
    const head = main().getByRole('columnheader', { name: '支付方式' })
    await expect.element(head).toBeVisible()
    expect(head.getByRole('button').elements()).toEqual([])
    await expect.element(head).not.toHaveAttribute('aria-sort')
  })

  test('a condition and the page stand in the address, and a changed condition begins at the first page', async () => {
    await open('/payment/history?page=2', payments)
    await expect.poll(async () => (await callsOf('payments.list'))[0]).toMatchObject({ page: 1 })
    await main().getByLabelText('状态').selectOptions('PENDING')
    await expect.poll(async () => (await callsOf('payments.list')).at(-1)).toMatchObject({ page: 0, status: 'PENDING' })
    expect(location.search).toBe('?status=PENDING')
  })

  test('a page whose rows are all gone gives way to the last one that has any, whatever is filtered', async () => {
    await open('/payment/history?status=PENDING&page=3', {
      ...payments,
      'payments.list': [
        { data: { ...pageOf(), totalElements: 11, totalPages: 2 } },
        { data: { ...pageOf(payment), totalElements: 11, totalPages: 2 } },
      ],
    })
    await expect.element(main().getByText(payment.outTradeNo)).toBeVisible()
    expect(await callsOf('payments.list')).toMatchObject([
      { page: 2, status: 'PENDING' },
      { page: 1, status: 'PENDING' },
    ])
    expect(location.search).toBe('?status=PENDING&page=2')
  })

  test.each([
    ['/orders?q=x', 'orders.page', '暂无订单'],
    ['/transactions?q=x', 'wallet.page', '暂无交易记录'],
    ['/payment/history?q=x', 'payments.list', '暂无支付记录'],
  ] as const)(
    'at %s that nothing fits is not said to be that there is nothing while the rest is read',
    async (at, path, none) => {
      const summaries: Script = {
        'wallet.summary': { data: { income: 200, expense: 0, count: 1, pending: 0 } },
        'payments.summary': { data: { paid: 200, pending: 0, failed: 0, count: 1 } },
      }
      await open(at, { ...summaries, [path]: { data: pageOf() } })
      const clear = main().getByRole('button', { name: '清除筛选' })
      await expect.element(clear).toBeVisible()
      await answer({ ...summaries, [path]: 'no answer' })
      await clear.click()
      await expect.element(main().getByRole('table')).toHaveAttribute('aria-busy', 'true')
      expect(main().getByText(none).elements()).toEqual([])
      await answer({ ...summaries, [path]: { data: pageOf() } })
      await expect.element(main().getByText(none)).toBeVisible()
    },
  )

  test('what nobody could have chosen in the address leaves nothing out', async () => {
    await open('/payment/history?status=PAID&size=7&page=-3&sort=secret', payments)
    await expect.element(main().getByRole('table', { name: '支付记录' })).toBeVisible()
    await expect
      .poll(async () => (await callsOf('payments.list'))[0])
      .toMatchObject({
        page: 0,
        size: 10,
        sort: 'createdAt',
      })
    expect((await callsOf('payments.list'))[0]).not.toHaveProperty('status')
    await expect.element(main().getByLabelText('状态')).toHaveValue('')
  })
})

describe('a list on a phone', () => {
  test('is a card for each record: its name and state above, its figures with their labels, its acts below', async () => {
    await open('/orders', orders)
    await page.viewport(390, 900)
    const cards = main().getByRole('list', { name: '订单' }).getByRole('listitem')
    await expect.element(cards.nth(1)).toBeVisible()
    expect(main().getByRole('table').elements()).toEqual([])
    const card = cards.first()
    await expect.element(card.getByRole('button', { name: 'V261027Z0V3WYDR8Q', exact: true })).toBeVisible()
    await expect.element(card.getByText('活跃', { exact: true })).toBeVisible()
    const labelled = [...card.element().querySelectorAll('dt')].map(({ textContent }) => textContent)
    expect(labelled).toEqual(['金额', '配置', '创建时间', '到期时间', '自动续费'])
    await expect.element(card.getByRole('link', { name: `管理服务器 ${row().orderNumber}`, exact: true })).toBeVisible()
    await expect
      .element(cards.nth(1).getByRole('button', { name: '支付 V261027ZZZZZZZZZZ', exact: true }))
      .toBeVisible()
  })

  test('becomes a table again where there is room, without asking the server anew', async () => {
    await open('/orders', orders)
    await page.viewport(390, 900)
    await expect.element(main().getByRole('list', { name: '订单' })).toBeVisible()
    await page.viewport(1440, 900)
    await expect.element(main().getByRole('table', { name: '订单' })).toBeVisible()
    expect(await callsOf('orders.page')).toHaveLength(1)
  })
})
