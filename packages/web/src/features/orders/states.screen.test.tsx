import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, dialog, field, inDialog, inQuestion, notices, question } from '../../testing/act'
import { answer, callsOf, drawn, expectSound, open } from '../../testing/screen'
import type { Reply, Script } from '../../testing/script'
import { id, inDays, offer, order, pageOf, quoted, row } from '../../testing/things'

type Changes = Parameters<typeof row>[0]
const orders = (changes: Changes = {}): Script => ({
  'orders.page': { data: pageOf(row(changes)) },
  'orders.get': { data: order(changes) },
})
const balance = (yuan: number): Reply<{ balance: number; updatedAt: string }> => ({
  data: { balance: yuan, updatedAt: inDays(0) },
})
const unpaid = {
  status: 'PENDING',
  serverId: null,
  server: null,
  paidAt: null,
  activatedAt: null,
  expiresAt: null,
} as const
const start = (entry: string) => choose(`订单 ${row().orderNumber}`, entry)

test('an order’s details stay where reading them again gets no answer', async () => {
  await open(`/orders?orderId=${order().id}`, { ...orders(), 'orders.setAutoRenewal': { data: order() } })
  const renewal = dialog.getByRole('switch', { name: /^自动续费/ })
  await expect.element(renewal).toBeChecked()
  await answer({ 'orders.page': 'lost', 'orders.get': 'lost', 'orders.setAutoRenewal': { data: order() } })
  await renewal.click({ force: true })
  await expect.element(notices.getByText('已关闭自动续费')).toBeVisible()
  await expect.poll(async () => (await callsOf('orders.get')).length).toBe(3)
  await expect.element(dialog.getByText(order().orderNumber)).toBeVisible()
  await expect.element(dialog.getByText('加载订单失败')).not.toBeInTheDocument()
})

describe('paying', () => {
  test('says how much is missing and recharges just that, right there', async () => {
    await open('/orders', {
      ...orders(unpaid),
      'wallet.get': balance(60),
      'orders.quote': { data: { ...quoted, amount: 67.15 } },
    })
    await start('支付')
    await expect.element(dialog.getByText('余额不足，请先充值（还差 ¥7.15）')).toBeVisible()
    await expect.element(field('充值金额')).toHaveValue(7.15)
    await expect.element(inDialog('充值 ¥7.15 并支付订单')).toBeEnabled()
    expect(inDialog('支付').elements()).toEqual([])
    await expectSound()
  })

  test('at another price charges nothing, and shows the new one before it is asked again', async () => {
    await open('/orders', {
      ...orders(unpaid),
      'wallet.get': balance(1000),
      'orders.pay': { refused: 'PRICE_CHANGED' },
    })
    await start('支付')
    await expect.element(dialog.getByText('¥67.15').first()).toBeVisible()
    await answer({
      'orders.get': { data: order({ ...unpaid, amount: 70 }) },
      'orders.pay': { refused: 'PRICE_CHANGED' },
    })
    await inDialog('支付').click()
    await expect.element(dialog.getByText('价格已变更，请确认后再支付')).toBeVisible()
    await expect.element(dialog.getByText('¥70.00').first()).toBeVisible()
    await expect.element(inDialog('支付')).toBeEnabled()
  })

  test('what was paid meanwhile is not paid again', async () => {
    await open('/orders', {
      'orders.page': { data: pageOf(row(unpaid)) },
      'orders.get': { data: order({ status: 'PAID' }) },
      'wallet.get': balance(1000),
    })
    await start('支付')
    await expect.element(dialog.getByText('该订单已付款，无需支付。')).toBeVisible()
    await expect
      .element(dialog.getByRole('link', { name: '查看进度' }))
      .toHaveAttribute('href', `/server-install-progress/${order().serverId}`)
    expect(inDialog('支付').elements()).toEqual([])
  })

  test('waits for a balance, and says where it could not be read', async () => {
    await open('/orders', { ...orders(unpaid), 'wallet.get': { refused: 'INTERNAL' } })
    await start('支付')
    await expect.element(dialog.getByText('加载失败')).toBeVisible()
    await expect.element(inDialog('支付')).toBeDisabled()
    expect(dialog.getByText('余额不足').elements()).toEqual([])
  })
})

describe('renewing', () => {
  const renewal: Script = {
    'orders.renewal': { data: { amount: 67.15, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' } },
  }

  test('says what it costs, and leads to recharging where that is more than there is', async () => {
    await open('/orders', { ...orders(), ...renewal, 'wallet.get': balance(7.15) })
    await start('续费')
    await expect.element(question.getByText(/余额不足，请先充值（还差 ¥/)).toBeVisible()
    await expect.element(question.getByText('¥67.15')).toBeVisible()
    await expect
      .element(question.getByRole('link', { name: '前往充值' }))
      .toHaveAttribute('href', '/recharge?amount=60.00')
    await expect.element(inQuestion('确认续费')).toBeDisabled()
  })

  test('is for what was shown: at another price it charges nothing, and shows the new one', async () => {
    const read = { ...orders(), ...renewal, 'wallet.get': balance(1000) }
    await open('/orders', { ...read, 'orders.renew': { refused: 'PRICE_CHANGED' } })
    await start('续费')
    await expect.element(question.getByText('¥67.15')).toBeVisible()
    await answer({
      ...read,
      'orders.renewal': { data: { amount: 70, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' } },
      'orders.renew': { refused: 'PRICE_CHANGED' },
    })
    await inQuestion('确认续费').click()
    await expect.element(question.getByText('价格已变更，请确认后再支付')).toBeVisible()
    await expect.element(question.getByText('¥70.00')).toBeVisible()
    expect(await callsOf('orders.renew')).toMatchObject([{ amount: 67.15, endsAt: expect.any(String) }])
    await expect.element(inQuestion('确认续费')).toBeEnabled()
  })

  test('is off while its price is not known, and says why it is not', async () => {
    await open('/orders', {
      ...orders(),
      'orders.renewal': { refused: 'STATE_CHANGED', message: '该套餐已停售' },
      'wallet.get': balance(1000),
    })
    await start('续费')
    await expect.element(question.getByText('该套餐已停售')).toBeVisible()
    await expect.element(inQuestion('确认续费')).toBeDisabled()
  })

  test('says that the balance could not be read, rather than to wait for it', async () => {
    await open('/orders', { ...orders(), ...renewal, 'wallet.get': { refused: 'INTERNAL' } })
    await start('续费')
    await expect.element(question.getByText('加载失败')).toBeVisible()
    await expect.element(inQuestion('确认续费')).toBeDisabled()
    expect(question.getByText('余额不足').elements()).toEqual([])
  })
})

describe('upgrading', () => {
  const quote = {
    amount: 3.3,
    periodBefore: 67.15,
    periodAfter: 77.15,
    remainingSeconds: 864_000,
    available: true,
    spec: { cpuCores: 3, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1, backups: 0 },
  }
  const reads: Script = { ...orders(), 'shop.priceGroups': { data: [offer()] }, 'wallet.get': balance(1000) }
  const grow = () => dialog.getByRole('slider', { name: 'CPU' }).fill('3')
  const confirm = () => inDialog('确认升级')
  const plan = (cpuCores: number) =>
    offer({
      id: id(24),
      name: '香港固定款',
      locked: true,
      included: { ...offer().included, cpuCores, bandwidthMbps: 100 },
    })

  test('asks for nothing before something has grown', async () => {
    await open('/orders', reads)
    await start('升级配置')
    await expect
      .element(dialog.getByText('请选择更高的配置。升级期间服务器会重启一次，仅增加 IP 不需要重启。'))
      .toBeVisible()
    await expect.element(confirm()).toBeDisabled()
    expect(await callsOf('orders.upgradeQuote')).toEqual([])
  })

  test('stays with what was chosen where the order was suspended meanwhile, and says why', async () => {
    const why = '只有活跃的订单可以升级配置'
    const held: Script = {
      ...reads,
      ...orders({ status: 'SUSPENDED', suspendReason: 'admin' }),
      'orders.upgradeQuote': { refused: 'MOVE_NOT_ALLOWED', message: why },
      'orders.upgrade': { refused: 'MOVE_NOT_ALLOWED', message: why },
    }
    await open('/orders', { ...reads, ...orders(), 'orders.upgradeQuote': { data: quote } })
    await start('升级配置')
    await dialog.getByRole('slider', { name: 'IP 数量' }).fill('3')
    await expect.element(confirm()).toBeEnabled()
    await answer(held)
    // Refused, it reads the order anew.
    await confirm().click()
    await expect.poll(() => document.querySelector('tbody')?.textContent).toContain('暂停')
    await drawn()
    await expect.element(dialog.getByText(why).first()).toBeVisible()
    await expect.element(dialog.getByRole('slider', { name: 'IP 数量' })).toHaveValue('3')
  })

  test('of a server behind a shared address offers no more addresses', async () => {
    await open('/orders', { ...reads, 'shop.priceGroups': { data: [offer({ natPorts: 20 })] } })
    await start('升级配置')
    await expect.element(dialog.getByText('请选择更高的配置。升级期间服务器会重启一次。')).toBeVisible()
    await expect.element(dialog.getByRole('slider', { name: 'CPU' })).toBeVisible()
    expect(dialog.getByRole('slider', { name: 'IP 数量' }).elements()).toEqual([])
  })

  test('of a server with IPv6 alone offers no more addresses, which are IPv4', async () => {
    await open('/orders', { ...reads, ...orders({ ipAddress: '2001:db8::2' }) })
    await start('升级配置')
    await expect.element(dialog.getByText('请选择更高的配置。升级期间服务器会重启一次。')).toBeVisible()
    expect(dialog.getByRole('slider', { name: 'IP 数量' }).elements()).toEqual([])
  })

  test('of a plan that is off sale goes to another that includes more', async () => {
    const other = offer({ id: id(24), name: '香港新款', included: { ...offer().included, cpuCores: 3 } })
    const sold: Script = { ...reads, 'shop.priceGroups': { data: [other] }, 'orders.upgradeQuote': { data: quote } }
    await open('/orders', sold)
    await start('升级配置')
    await expect.element(dialog.getByText('当前套餐已下架，请选择其他套餐。')).toBeVisible()
    await expectSound()
    await dialog.getByLabelText('套餐').selectOptions(other.id)
    await expect.element(confirm()).toBeEnabled()
    expect((await callsOf('orders.upgradeQuote')).at(-1)).toMatchObject({ priceGroupId: other.id, cpuCores: 3 })
  })

  test('takes what another plan includes, though between two steps from what there is: passing its field made it 45 GB', async () => {
    const [current, other] = [{ ...plan(2), id: order().priceGroupId }, offer({ id: id(25), name: '香港自选款' })]
    const sold: Script = { ...reads, ...orders({ storageGb: 25 }), 'orders.upgradeQuote': { data: quote } }
    await open('/orders', { ...sold, 'shop.priceGroups': { data: [current, other] } })
    await start('升级配置')
    await dialog.getByLabelText('套餐').selectOptions(other.id)
    const amount = dialog.getByRole('textbox', { name: '存储数值' })
    await expect.element(amount).toHaveValue('40')
    await amount.click()
    await userEvent.keyboard('{Enter}{Tab}')
    await expect.element(amount).not.toHaveFocus()
    await expect.element(amount).toHaveValue('40')
    await amount.fill('51')
    await userEvent.tab()
    await expect.element(amount).toHaveValue('55')
    await expect.element(confirm()).toBeEnabled()
    expect((await callsOf('orders.upgradeQuote')).at(-1)).toMatchObject({ storageGb: 55 })
  })

  test('of a plan that is off sale, where no other includes more, says so', async () => {
    await open('/orders', { ...reads, 'shop.priceGroups': { data: [] } })
    await start('升级配置')
    await expect.element(dialog.getByText('当前套餐已下架，暂无可升级的套餐。')).toBeVisible()
    await expect.element(confirm()).toBeDisabled()
  })

  test('of plans that cannot be read says so, and reads them again', async () => {
    await open('/orders', { ...reads, 'shop.priceGroups': { refused: 'INTERNAL' } })
    await start('升级配置')
    await expect.element(dialog.getByText('获取价格组失败')).toBeVisible()
    await expectSound()
    await answer(reads)
    await inDialog('重试').click()
    await expect.element(dialog.getByRole('slider', { name: 'CPU' })).toBeVisible()
  })

  test('shows the difference of this period, and where there is no room, that there is none', async () => {
    await open('/orders', { ...reads, 'orders.upgradeQuote': { data: { ...quote, available: false } } })
    await start('升级配置')
    await grow()
    await expect.element(dialog.getByText('宿主机资源不足，暂时无法升级到该配置')).toBeVisible()
    await expect.element(dialog).toMatchTextContent('至到期应补差价¥3.30')
    await expect.element(confirm()).toBeDisabled()
  })

  test('claims no balance that could not be read', async () => {
    await open('/orders', {
      ...reads,
      'wallet.get': { refused: 'INTERNAL' },
      'orders.upgradeQuote': { data: quote },
    })
    await start('升级配置')
    await grow()
    await expect.element(dialog).toMatchTextContent('至到期应补差价¥3.30')
    await expect.element(dialog).not.toMatchTextContent('¥0.00')
    expect(dialog.getByText('余额不足').elements()).toEqual([])
  })

  test('is for what was shown: where it has become dearer it charges nothing, and shows the new price', async () => {
    const refused: Script = { ...reads, 'orders.upgrade': { refused: 'PRICE_CHANGED' } }
    await open('/orders', { ...refused, 'orders.upgradeQuote': { data: quote } })
    await start('升级配置')
    await grow()
    await expect.element(dialog.getByText('¥3.30')).toBeVisible()
    await answer({ ...refused, 'orders.upgradeQuote': { data: { ...quote, amount: 10 } } })
    await confirm().click()
    await expect.element(dialog.getByText('价格已变更，请确认后再支付')).toBeVisible()
    await expect.element(dialog.getByText('¥10.00')).toBeVisible()
    expect(await callsOf('orders.upgrade')).toMatchObject([{ cpuCores: 3, amount: 3.3 }])
    await expect.element(confirm()).toBeEnabled()
  })

  test('to a plan that has become another, or is gone, shows what there is now: it was refused for ever at what that had included', async () => {
    const sold: Script = { ...reads, 'orders.upgradeQuote': { data: quote } }
    await open('/orders', { ...sold, 'shop.priceGroups': { data: [offer(), plan(3)] } })
    await start('升级配置')
    await dialog.getByLabelText('套餐').selectOptions('香港固定款')
    await expect.element(confirm()).toBeEnabled()
    await answer({
      ...sold,
      'shop.priceGroups': { data: [offer(), plan(4)] },
      'orders.upgrade': { refused: 'INVALID_INPUT', message: '该套餐的配置不可更改' },
    })
    await confirm().click()
    await expect.element(dialog.getByText('该套餐的配置不可更改')).toBeVisible()
    await expect.element(dialog.getByText('4 核')).toBeVisible()
    await expect.element(confirm()).toBeEnabled()
    await answer({
      ...sold,
      'shop.priceGroups': { data: [offer()] },
      'orders.upgrade': { refused: 'UNKNOWN_PRICE_GROUP' },
    })
    await confirm().click()
    await expect.element(dialog.getByText('价格组不存在或已下架')).toBeVisible()
    await expect.element(dialog.getByRole('slider', { name: 'CPU' })).toHaveValue('2')
    expect(await callsOf('orders.upgrade')).toMatchObject([{ cpuCores: 4 }])
    await expect.element(confirm()).toBeDisabled()
  })

  test('to a plan that became another while it was looked at is priced as that is now', async () => {
    await open('/orders', { ...reads, 'shop.priceGroups': { data: [offer(), plan(3)] } })
    await start('升级配置')
    await expect.element(dialog.getByLabelText('套餐')).toBeVisible()
    await answer({
      ...reads,
      'shop.priceGroups': { data: [offer(), plan(4)] },
      'orders.upgradeQuote': [{ refused: 'INVALID_INPUT', message: '该套餐的配置不可更改' }, { data: quote }],
    })
    await dialog.getByLabelText('套餐').selectOptions('香港固定款')
    await expect.element(dialog.getByText('4 核')).toBeVisible()
    await expect.element(confirm()).toBeEnabled()
    expect(await callsOf('orders.upgradeQuote')).toMatchObject([{ cpuCores: 3 }, { cpuCores: 4 }])
  })

  test('of an order that has grown elsewhere meanwhile goes on from what it has now: it was refused for ever as less', async () => {
    await open('/orders', reads)
    await start('升级配置')
    await expect.element(dialog.getByRole('slider', { name: 'CPU' })).toHaveValue('2')
    await answer({
      ...reads,
      ...orders({ cpuCores: 4 }),
      'orders.upgradeQuote': [{ refused: 'INVALID_INPUT', message: '升级只能增加配置' }, { data: quote }],
    })
    await dialog.getByRole('slider', { name: '内存' }).fill('8')
    await expect.element(dialog.getByRole('slider', { name: 'CPU' })).toHaveValue('4')
    await expect.element(confirm()).toBeEnabled()
    expect(await callsOf('orders.upgradeQuote')).toMatchObject([
      { cpuCores: 2, memoryGb: 8 },
      { cpuCores: 4, memoryGb: 8 },
    ])
  })

  test('buys what its sliders show, also where they were moved just before', async () => {
    const job = { data: { jobId: null } }
    await open('/orders', { ...reads, 'orders.upgradeQuote': { data: quote }, 'orders.upgrade': job })
    await start('升级配置')
    await grow()
    await expect.element(confirm()).toBeEnabled()
    await dialog.getByRole('slider', { name: 'CPU' }).fill('4')
    await confirm().click()
    await expect.poll(() => callsOf('orders.upgrade')).toMatchObject([{ cpuCores: 4 }])
  })

  test('leads to recharging what is missing', async () => {
    await open('/orders', { ...reads, 'wallet.get': balance(1), 'orders.upgradeQuote': { data: quote } })
    await start('升级配置')
    await grow()
    await expect.element(dialog.getByText(/余额不足，请先充值（还差 ¥/)).toBeVisible()
    await expect
      .element(dialog.getByRole('link', { name: '前往充值' }))
      .toHaveAttribute('href', '/recharge?amount=2.30')
  })
})

test('an order that cannot be read says so in its dialog, and is read again', async () => {
  await open(`/orders?orderId=${row().id}`, { ...orders(), 'orders.get': { refused: 'INTERNAL' } })
  await expect.element(dialog.getByText('加载订单失败')).toBeVisible()
  await answer(orders({ status: 'SUSPENDED', suspendReason: 'admin', suspendNote: '滥用' }))
  await inDialog('重试').click()
  await expect.element(dialog).toMatchTextContent('暂停原因管理员暂停：滥用')
  await inDialog('关闭').click()
  await expect.poll(() => location.search).toBe('')
})

test('auto-renewal is switched at once, and back by the notification', async () => {
  await open('/orders', { ...orders(), 'orders.setAutoRenewal': { data: order() } })
  await page.getByRole('switch', { name: `自动续费 ${row().orderNumber}` }).click({ force: true })
  await expect.element(notices.getByText('已关闭自动续费')).toBeVisible()
  await notices.getByRole('button', { name: '撤销' }).click()
  await expect.element(notices.getByText('已开启自动续费')).toBeVisible()
  expect(notices.getByRole('button', { name: '撤销' }).elements()).toEqual([])
  expect(await callsOf('orders.setAutoRenewal')).toEqual([
    { id: row().id, autoRenewal: false },
    { id: row().id, autoRenewal: true },
  ])
})
