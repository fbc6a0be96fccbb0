import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, dialog, field, inQuestion, notices, pressOn, question, readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, arrive, callsOf, expectSoundEverywhere, main, open, tipOf } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { toast } from '../../ui/toast'
import { details, id, inDays, offer, order, row } from '../../testing/things'

const button = (name: string) => main().getByRole('button', { name, exact: true })
const fact = (label: string) => {
  const fact = [...document.querySelectorAll('dl > div')].find((one) => one.querySelector('dt')?.textContent === label)
  return fact?.querySelector('dd')?.textContent
}

describe('the way to a machine’s screen', () => {
  const remote = () => page.getByRole('button', { name: '远程连接', exact: true })

  test('is in the console’s head, on a phone as well', async () => {
    const remoteReads = { 'console.openRemote': { refused: 'AGENT_TIMEOUT' }, 'console.install': 'no answer' } as const
    await open(consoleAddress, { ...consoleReads, ...remoteReads })
    await expect.element(remote()).toBeVisible()
    await page.viewport(390, 844)
    await remote().click()
    await expect.poll(() => location.pathname).toBe(`/remote/${order().serverId}`)
  })

  test('says why there is none: a dedicated server has no host, a suspended one is only read', async () => {
    await open(consoleAddress, { ...consoleReads, 'console.details': { data: details({ driver: 'ssh' }) } })
    // While it loads there is another in its place.
    await expect.element(button('重启')).toBeVisible()
    await expect.poll(tipOf(remote())).toBe('独立服务器没有远程连接，请使用 SSH')
    const suspended = order({ status: 'SUSPENDED', suspendReason: 'admin' })
    await answer({ ...consoleReads, 'orders.get': { data: suspended } })
    await pressOn('刷新数据')
    await expect.element(remote()).toHaveAttribute('aria-disabled', 'true')
  })
})

test('who stops a dedicated server is told before that the console cannot start it again', async () => {
  await open(consoleAddress, { ...consoleReads, 'console.details': { data: details({ driver: 'ssh' }) } })
  await main().getByRole('button', { name: '关机', exact: true }).click()
  await expect.element(question).toMatchTextContent('关机后无法在控制台开机')
  await expectSoundEverywhere()
})

test('a dedicated server that nobody could log in to is not said to be silent: its password may be another', async () => {
  const answers = {
    'console.testConnection': { data: { sshConnectable: false, latencyMs: null, lastCheckTime: inDays(0) } },
  }
  await open(consoleAddress, {
    ...consoleReads,
    ...answers,
    'console.details': { data: details({ driver: 'ssh' }) },
  })
  await pressOn('测试连接')
  await expect.element(notices.getByText('没有响应，或密码已在服务器内修改')).toBeVisible()
})

describe('the dashboard', () => {
  test('says that it could not be read, then that there are no servers and where to buy', async () => {
    await arrive('/dashboard', { 'orders.list': 'lost' })
    await expect.element(main().getByRole('alert')).toMatchTextContent('加载订单失败')
    await expectSoundEverywhere()
    await answer({ 'orders.list': { data: [] } })
    await pressOn('重试')
    await expect.element(main().getByText('暂无服务器')).toBeVisible()
    await expect.element(main().getByRole('link', { name: '立即购买' })).toHaveAttribute('href', '/sales')
    await expectSoundEverywhere()
  })

  const servers = Array.from({ length: 11 }, (_, n) =>
    row({
      id: id(300 + n),
      orderNumber: `V26102700000000${String(n).padStart(2, '0')}`,
      serverName: `香港标准型-${String(n).padStart(6, '0')}`,
      expiresAt: inDays(n === 0 ? 3 : n === 1 ? -1 : 20),
      osName: n < 4 ? 'Debian' : 'Ubuntu',
      ...(n === 1 && { status: 'SUSPENDED', suspendReason: 'unpaid' }),
    }),
  )
  const rows = () => page.getByRole('table', { name: '服务器' }).getByRole('row').elements().slice(1)

  test('sums up, shows what runs out, and is read page by page', async () => {
    await open('/dashboard', { 'orders.list': { data: servers } })
    await expect
      .poll(() => [fact('服务器总数'), fact('活跃'), fact('暂停'), fact('即将到期')])
      .toEqual(['11', '10', '1', '1'])
    await expect.poll(() => [fact('余额'), fact('本月支出')]).toEqual(['¥100.00', '¥79.00'])
    await expect.poll(rows).toHaveLength(10)
    await expect.element(page.getByText('已过期', { exact: true }).first()).toBeVisible()
    await expect.element(page.getByText('登录令牌永不过期')).toBeVisible()
    const heads = page
      .getByRole('columnheader')
      .elements()
      .map(({ textContent }) => textContent)
    expect(heads).toEqual(['服务器信息', '状态', 'IP地址', 'CPU', '配置', '操作系统', '到期时间', '操作'])
    await expectSoundEverywhere()
    const pager = page.getByRole('navigation', { name: '分页' })
    await pager.getByRole('button', { name: '下一页' }).click()
    await expect.poll(rows).toHaveLength(1)
    expect(location.search).toBe('?page=2')
    await pager.getByLabelText('每页条数').selectOptions('20')
    await expect.poll(rows).toHaveLength(11)
  })

  test('is searched whatever the case, filtered, and shown whole again', async () => {
    await open('/dashboard', { 'orders.list': { data: servers } })
    await page.getByRole('searchbox', { name: '搜索' }).fill('DEBIAN')
    await expect.poll(rows).toHaveLength(4)
    await page.getByRole('searchbox', { name: '搜索' }).fill(servers[3]!.orderNumber.toLowerCase())
    await expect.poll(rows).toHaveLength(1)
    await page.getByLabelText('状态').selectOptions('SUSPENDED')
    await expect.element(page.getByText('没有符合条件的服务器')).toBeVisible()
    await pressOn('重置')
    await expect.poll(rows).toHaveLength(10)
  })

  test('shows those that a figure counts, and the way back shows all', async () => {
    await open('/dashboard', { 'orders.list': { data: servers } })
    await main().getByRole('link', { name: '暂停', exact: true }).click()
    await expect.poll(rows).toHaveLength(1)
    await expect.element(page.getByLabelText('状态')).toHaveValue('SUSPENDED')
    history.back()
    await expect.poll(rows).toHaveLength(10)
    await main().getByRole('link', { name: '即将到期', exact: true }).click()
    await expect.poll(rows).toHaveLength(1)
    await expect.element(page.getByLabelText('状态')).toMatchTextContent('即将到期 1')
    await expectSoundEverywhere()
  })

  test('shows details, the way to connect and the reinstall of a server; of a suspended one why not', async () => {
    await open('/dashboard', {
      'orders.list': { data: servers },
      'shop.osOptions': { data: offer().osOptions },
      'accounts.sshKeys': { data: [] },
    })
    const [active, suspended] = [servers[0]!.serverName, servers[1]!.serverName]
    await choose(active, '查看详情')
    await expect.element(dialog.getByText(servers[0]!.orderNumber)).toBeVisible()
    await expectSoundEverywhere()
    await userEvent.keyboard('{Escape}')
    await choose(active, '连接')
    await expect.element(dialog.getByText('ssh root@10.66.0.4')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await choose(active, '重启')
    await expect.element(question).toMatchTextContent(`服务器 ${active} 将重启`)
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('button', { name: `复制 ${active} 的IP地址` })).toBeVisible()
    await choose(active, '重装系统')
    await expect.element(dialog.getByLabelText('操作系统')).toHaveValue('Debian')
    await expectSoundEverywhere()
    await userEvent.keyboard('{Escape}')
    await page.getByRole('button', { name: `${suspended} 的更多操作` }).click()
    await expect.element(page.getByRole('menu')).toMatchTextContent('只有活跃的服务器可以连接')
    await expect.element(page.getByRole('menu')).toMatchTextContent('只有活跃的服务器可以重装系统')
    await expect.element(page.getByRole('menuitem', { name: '重启' })).toHaveAttribute('aria-disabled', 'true')
  })
})

describe('the console', () => {
  test.each([
    ['/server-manage', {}, '加载服务器信息失败，请稍后重试'],
    [
      `/server-manage/${id(999)}`,
      { 'orders.get': { refused: 'NOT_FOUND' } },
      '加载服务器信息失败，请稍后重试（加载订单信息失败: 记录不存在）',
    ],
  ] as [string, Script, string][])('at %s leads to the dashboard with a notice', async (address, answers, notice) => {
    await open(address, { 'orders.list': { data: [] }, ...answers })
    await expect.element(notices.getByText(notice, { exact: true })).toBeVisible()
    expect(location.pathname).toBe('/dashboard')
  })

  test('is denied to others where only administrators may', async () => {
    await open(consoleAddress, { ...consoleReads, 'console.details': { refused: 'CONSOLE_DENIED' } })
    await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('访问被拒绝')
    await expect.element(main().getByText('访问被拒绝：您没有权限访问此页面，只有管理员可以管理服务器')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('where details or figures cannot be read, shows the order’s own data and an offline placeholder', async () => {
    const unread = Object.fromEntries(
      ['details', 'monitoring', 'logs', 'metrics'].map((what) => [`console.${what}`, 'lost'] as const),
    )
    await arrive(consoleAddress, { ...consoleReads, ...unread })
    await expect.element(main().getByText('以下为订单中的信息，请检查服务器ID。')).toBeVisible()
    expect(fact('IP地址')).toContain(order().ipAddress)
    await expect.element(main().getByText('监控数据读取失败：网络连接错误').first()).toBeVisible()
    await expect.element(page.getByRole('meter', { name: 'CPU' })).toHaveAttribute('aria-valuenow', '0')
    await expectSoundEverywhere()
    await pressOn('刷新数据')
    await expect.element(notices.getByText(/^刷新数据失败/)).toBeVisible()
  })

  const unpaid = {
    status: 'PENDING',
    serverId: null,
    server: null,
    paidAt: null,
    activatedAt: null,
    expiresAt: null,
  } as const
  test('of an unpaid order says that it was not paid, and leads to paying it', async () => {
    await open(consoleAddress, {
      'orders.get': { data: order(unpaid) },
      'wallet.get': { data: { balance: 100, updatedAt: inDays(0) } },
    })
    await expect.element(main().getByText('该订单尚未支付')).toBeVisible()
    await expectSoundEverywhere()
    await pressOn('去支付')
    await expect.element(dialog.getByRole('button', { name: '支付', exact: true })).toBeEnabled()
  })

  test('of an order without a server says so and offers another try', async () => {
    await open(consoleAddress, { 'orders.get': { data: order({ serverId: null, server: null }) } })
    await expect.element(main().getByRole('alert')).toMatchTextContent('加载服务器信息失败，请稍后重试')
    await expect.element(main().getByRole('alert')).toMatchTextContent('请检查服务器ID是否正确')
    await expect.element(button('重试')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('of a suspended order says why and offers nothing that a machine would do', async () => {
    const suspended = { status: 'SUSPENDED', suspendReason: 'unpaid', expiresAt: '2026-11-30T08:00:00.000Z' } as const
    await open(consoleAddress, {
      ...consoleReads,
      'orders.get': { data: order(suspended) },
      'console.details': { data: details({ orderStatus: 'SUSPENDED', power: 'off', status: 'OFFLINE' }) },
    })
    await expect
      .element(main().getByText('服务器因到期已暂停，数据保留至 2026-12-03 16:00:00，续费后自动恢复。'))
      .toBeVisible()
    await expect.element(button('启动')).toHaveAttribute('aria-disabled', 'true')
    await expectSoundEverywhere()
  })

  test('resumed by a renewal that is not answered yet keeps its question', async () => {
    const suspended = { status: 'SUSPENDED', suspendReason: 'unpaid' } as const
    const paying: Script = {
      ...consoleReads,
      'orders.renewal': { data: { amount: 67.15, endsAt: inDays(-1), expiresAt: inDays(29), period: 'MONTHLY' } },
      'wallet.get': { data: { balance: 1000, updatedAt: inDays(0) } },
    }
    const unanswered = { 'orders.renew': 'no answer' } as const
    await open(consoleAddress, { ...paying, 'orders.get': { data: order(suspended) }, ...unanswered })
    await pressOn('续费')
    await inQuestion('确认续费').click()
    await expect.poll(() => callsOf('orders.renew')).toHaveLength(1)
    await answer({ ...paying, ...unanswered })
    readAgain()
    await expect.element(page.getByText(/^服务器因到期已暂停/)).not.toBeInTheDocument()
    await expect.element(question).toBeVisible()
  })

  test('an act without an answer gives up after fifteen seconds', async () => {
    await open(consoleAddress, { ...consoleReads, 'console.act': 'no answer' })
    await pressOn('重启')
    await expect.element(inQuestion('取消')).toHaveFocus()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await inQuestion('确认重启').click()
    // The call waits for a tick of the held clock; each look moves it on a little.
    await expect.poll(() => callsOf('console.act')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(12_000)
    expect(question.getByText('请求超时，请稍后重试').elements()).toEqual([])
    await vi.advanceTimersByTimeAsync(3_100)
    await expect.element(question.getByText('请求超时，请稍后重试')).toBeVisible()
  })

  test('wants a good password before it is reset, and makes one', async () => {
    await open(consoleAddress, consoleReads)
    await expect.element(button('重置密码')).toHaveAttribute('aria-disabled', 'true')
    for (const [wrong, fault] of [
      ['Ab1', '密码长度至少需要8个字符'],
      ['abcdefg1', '密码必须包含大写字母'],
      ['ABCDEFG1', '密码必须包含小写字母'],
      ['Abcdefgh', '密码必须包含数字'],
    ] as const) {
      await field('新密码').fill(wrong)
      await expect.element(main().getByText(fault)).toBeVisible()
      await expect.element(button('重置密码')).toHaveAttribute('aria-disabled', 'true')
    }
    await pressOn('生成密码')
    await expect.element(field('新密码')).toHaveValue(expect.stringMatching(/^[A-HJ-NP-Za-km-z2-9]{12}$/))
    await pressOn('重置密码')
    await question.getByText('重启服务器并重置密码').click()
    await expect.element(question).toMatchTextContent('服务器会重启一次')
    await expect.element(question).toMatchTextContent('请妥善保管新密码')
    await expectSoundEverywhere()
  })

  test('where the server is protected a reinstall says so', async () => {
    await open(consoleAddress, { ...consoleReads, 'console.details': { data: details({ protected: true }) } })
    await expect.element(button('重装系统')).toHaveAttribute('aria-disabled', 'true')
    await userEvent.keyboard('{Tab}')
    button('重装系统').element().focus()
    await expect.element(page.getByRole('tooltip')).toMatchTextContent('服务器已开启保护，请先关闭保护')
  })

  test('a system that was taken off sale is let go of once a reinstall is refused for it: another was shown, and could not be chosen', async () => {
    const sells = (...names: string[]): Script => ({
      ...consoleReads,
      'shop.osOptions': { data: names.map((name) => ({ name, versions: ['12'] })) },
    })
    await open(consoleAddress, sells('Debian', 'Rocky'))
    await field('操作系统').selectOptions('Rocky')
    await pressOn('重装系统')
    await expect.element(question).toMatchTextContent('并安装 Rocky 12')
    await answer({
      ...sells('Debian'),
      'console.reinstall': { refused: 'UNKNOWN_IMAGE', message: '请选择操作系统及版本' },
    })
    await question.getByRole('textbox').fill(order().serverName)
    await inQuestion('确认重装系统').click()
    await expect.element(question.getByRole('alert').last()).toMatchTextContent('请选择操作系统及版本')
    await inQuestion('取消').click()
    await expect.element(field('操作系统')).toHaveValue('')
    await expect.element(button('重装系统')).toHaveAttribute('aria-disabled', 'true')
    await field('操作系统').selectOptions('Debian')
    await expect.element(question).not.toBeInTheDocument()
    await pressOn('重装系统')
    await expect.element(question).toMatchTextContent('并安装 Debian 12')
  })

  test('a reason stays when the page moves to the button that got the focus', async () => {
    await open(consoleAddress, { ...consoleReads, 'console.details': { data: details({ protected: true }) } })
    await page.viewport(1440, 500)
    await expect.element(button('重装系统')).toHaveAttribute('aria-disabled', 'true')
    window.scrollTo(0, 0)
    await userEvent.keyboard('{Tab}')
    button('重装系统').element().focus()
    await expect.poll(() => window.scrollY).toBeGreaterThan(0)
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    await expect.element(page.getByRole('tooltip')).toMatchTextContent('服务器已开启保护，请先关闭保护')
  })

  test('a question is asked and answered by the keyboard alone, and gives the focus back', async () => {
    await open(consoleAddress, { ...consoleReads, 'console.act': 'no answer' })
    await expect.element(button('重启')).toBeVisible()
    const focused = () => document.activeElement
    for (let presses = 0; focused() !== button('重启').element() && presses < 100; presses += 1)
      await userEvent.keyboard('{Tab}')
    expect(getComputedStyle(button('重启').element()).outlineStyle).toBe('solid')
    await userEvent.keyboard('{Enter}')
    await expect.element(inQuestion('取消')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(question).not.toBeInTheDocument()
    await expect.element(button('重启')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(inQuestion('取消')).toHaveFocus()
    await userEvent.keyboard('{Tab}{Enter}')
    await expect.poll(() => callsOf('console.act')).toHaveLength(1)
  })
})

test('the progress of nothing says that it could not be read', async () => {
  await open(`/server-install-progress/${id(999)}`, { 'console.install': { refused: 'NOT_FOUND' } })
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载安装进度失败')
  await expectSoundEverywhere()
})

test('a notification stays for four seconds', async () => {
  await open('/dashboard', { 'orders.list': { data: [] } })
  await expect.element(main().getByText('暂无服务器')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  toast('订单号已复制', 'success')
  await expect.element(notices.getByText('订单号已复制')).toBeVisible()
  await vi.advanceTimersByTimeAsync(3_500)
  expect(notices.getByText('订单号已复制').elements()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(600)
  await expect.element(notices.getByText('订单号已复制')).not.toBeInTheDocument()
})
