import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dialog, field, inDialog, inQuestion, notices, pressOn, question, readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, endedJob, growth, id, inDays, offer, order, pageOf } from '../../testing/things'

const at = (part: string) => `${consoleAddress}?part=${part}`
const partLink = (name: string) =>
  page.getByRole('navigation', { name: '服务器的各部分' }).getByRole('link', { name, exact: true })
const minutesAgo = (minutes: number) => inDays(-minutes / (24 * 60))
const points = [3, 2, 1].map((minutes) => ({
  at: minutesAgo(minutes),
  cpuUsage: 10 * minutes,
  memoryUsage: 50,
  diskUsage: 30,
  rxRate: 1000 * minutes,
  txRate: 500,
}))
const measured: Script = {
  ...consoleReads,
  'console.metrics': { data: { range: 'hour', stepSeconds: 60, points } },
}
const renewing: Script = {
  'wallet.get': { data: { balance: 1000, updatedAt: inDays(0) } },
  'orders.renewal': { data: { amount: 67.15, endsAt: inDays(0), expiresAt: inDays(30), period: 'MONTHLY' } },
  'orders.renew': { data: order() },
}
const entry = (n: number) => ({
  id: id(700 + n),
  action: n % 2 ? ('restart' as const) : ('stop' as const),
  status: n === 0 ? ('FAILED' as const) : ('SUCCEEDED' as const),
  error: n === 0 ? '启动虚拟机失败' : null,
  by: 'customer',
  createdAt: minutesAgo(n),
  finishedAt: minutesAgo(n),
})

describe('the parts of a console', () => {
  test('are links, of which the overview is the address without a part, and the focus stays on the one followed', async () => {
    await open(consoleAddress, measured)
    await expect.element(partLink('概览')).toHaveAttribute('aria-current', 'page')
    await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent(order().serverName)
    partLink('概览').element().focus()
    await userEvent.keyboard('{Tab}{Enter}')
    expect(location.search).toBe('?part=monitoring')
    await expect.element(main().getByRole('heading', { level: 2, name: '历史趋势' })).toBeVisible()
    await expect.element(partLink('监控')).toHaveAttribute('aria-current', 'page')
    await expect.element(partLink('监控')).toHaveFocus()
    await partLink('概览').click()
    expect(location.search).toBe('')
  })

  test('show no traffic of a dedicated server, which nobody measures, and promise no keys on it', async () => {
    const unmeasured = points.map((point) => ({ ...point, rxRate: null, txRate: null }))
    await open(at('network'), {
      ...measured,
      'console.details': { data: details({ driver: 'ssh' }) },
      'console.metrics': { data: { range: 'hour', stepSeconds: 60, points: unmeasured } },
    })
    await expect.element(main().getByText('地址与登录')).toBeVisible()
    expect(main().getByText('流量趋势').elements()).toEqual([])
    await partLink('监控').click()
    await expect.element(page.getByRole('slider', { name: '资源使用率的时间点' })).toBeInTheDocument()
    expect(page.getByRole('slider', { name: '网络流量的时间点' }).elements()).toEqual([])
    await partLink('安全').click()
    await expect.element(main().getByText('登录方式')).toBeVisible()
    expect(main().getByText('安装和重装系统时写入').elements()).toEqual([])
  })

  test('keep what is half filled in while another part is looked at', async () => {
    await open(consoleAddress, measured)
    await field('新密码').fill('Halb-getippt-1')
    await field('新SSH端口').fill('2222')
    const root = field('新root密码').element() as HTMLInputElement
    const made = root.value
    await partLink('监控').click()
    await expect.element(main().getByRole('heading', { level: 2, name: '历史趋势' })).toBeVisible()
    await partLink('概览').click()
    await expect.element(field('新密码')).toHaveValue('Halb-getippt-1')
    await expect.element(field('新SSH端口')).toHaveValue('2222')
    await expect.element(field('新root密码')).toHaveValue(made)
  })

  test('of which the address names none are the overview', async () => {
    await open(at('nothing'), consoleReads)
    await expect.element(main().getByRole('heading', { level: 2, name: '服务器配置' })).toBeVisible()
  })

  test('say what was measured in charts with one cursor, by the keys too', async () => {
    await open(at('monitoring'), measured)
    const usage = page.getByRole('slider', { name: '资源使用率的时间点' })
    await expect.element(usage).toHaveAttribute('aria-valuetext', expect.stringMatching(/CPU 24%，内存 61%/))
    usage.element().focus()
    await userEvent.keyboard('{ArrowLeft}')
    await expect.element(usage).toHaveAttribute('aria-valuetext', expect.stringMatching(/CPU 20%，内存 50%/))
    const traffic = page.getByRole('slider', { name: '网络流量的时间点' })
    await expect
      .element(traffic)
      .toHaveAttribute('aria-valuetext', expect.stringMatching(/入站 2.0 KB\/s，出站 500 B\/s/))
    await userEvent.tab()
    await expect.element(usage).toHaveAttribute('aria-valuetext', expect.stringMatching(/CPU 24%/))
    await expectSoundEverywhere()
  })

  test('are read again by a press also while they are read anyway', async () => {
    await open(consoleAddress, measured)
    // What was never answered is under way already, and a press joins that.
    await expect.element(main().getByText('SSH 可连接')).toBeVisible()
    await answer({ ...measured, 'console.monitoring': 'no answer', 'orders.get': 'no answer' })
    await pressOn('刷新数据')
    await expect.poll(() => callsOf('console.monitoring')).toHaveLength(1)
    await pressOn('刷新监控')
    await expect.poll(() => callsOf('console.monitoring')).toHaveLength(2)
  })

  test('of a server whose host is not heard say so, and not that it has to be turned on', async () => {
    const silent = { power: 'unknown', status: 'OFFLINE' } as const
    const none = { cpuUsage: null, memoryUsage: null, diskUsage: null, lastCheckTime: null, uptime: null, samples: [] }
    const { id: serverId, ipAddress: serverIp } = details()
    await open(at('overview'), {
      ...consoleReads,
      'console.details': { data: details(silent) },
      'console.monitoring': { data: { serverId, serverIp, sshConnectable: null, ...silent, ...none } },
    })
    await expect.element(main().getByText('暂时收不到这台服务器的上报，恢复后这里会继续显示。')).toBeVisible()
    expect(
      main()
        .getByText(/服务器开机并上报后/)
        .elements(),
    ).toEqual([])
  })

  test('of a shared address name the outside port, and which ports lead where', async () => {
    const behind = {
      ipAddress: '203.0.113.7',
      ipAddresses: ['203.0.113.7'],
      sshPort: 20_000,
      forwarded: [{ address: '10.66.0.4', outside: '203.0.113.7', firstPort: 20_000, ports: 20 }],
    }
    await open(at('network'), { ...measured, 'console.details': { data: details(behind) } })
    await expect.element(main().getByText('ssh root@203.0.113.7 -p 20000', { exact: true })).toBeVisible()
    const ports = main().getByRole('table', { name: '端口转发' })
    await expect.element(ports.getByRole('row', { name: '20000 22（SSH） TCP' })).toBeVisible()
    await expect.element(ports.getByRole('row', { name: '20001–20019 原样转发 TCP、UDP' })).toBeVisible()
    await expect.element(main().getByRole('button', { name: '增加 IP 地址' })).not.toBeInTheDocument()
    await expectSoundEverywhere()
  })

  test('of IPv6 alone offer no more, which are IPv4', async () => {
    const six = { ipAddress: '2001:db8::2', ipAddresses: ['2001:db8::2'] }
    await open(at('network'), { ...measured, 'console.details': { data: details(six) } })
    await expect.element(main().getByText('2001:db8::2', { exact: true }).first()).toBeVisible()
    await expect.element(main().getByRole('button', { name: '增加 IP 地址' })).not.toBeInTheDocument()
  })

  test('name every address, the command that logs in, and the bandwidth that was bought', async () => {
    const addresses = ['10.66.0.4', '10.66.0.5', '10.66.0.6']
    await open(at('network'), { ...measured, 'console.details': { data: details({ ipAddresses: addresses }) } })
    for (const address of addresses) await expect.element(main().getByText(address, { exact: true })).toBeVisible()
    await expect.element(main().getByText('ssh root@10.66.0.4 -p 22', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('slider', { name: '网络流量的时间点' })).toBeInTheDocument()
    await expect.element(page.getByRole('slider', { name: '资源使用率的时间点' })).not.toBeInTheDocument()
    await expectSoundEverywhere()
  })

  test('tell IPv6 apart from further IPv4, with the prefix that is all its own', async () => {
    const six = { ipAddresses: ['10.66.0.4', '10.66.0.5', '2001:db8:0:7::1'], ipPrefixes: ['2001:db8:0:7::/64'] }
    await open(at('network'), { ...measured, 'console.details': { data: details(six) } })
    for (const [label, value] of [
      ['附加IP 1', '10.66.0.5'],
      ['IPv6 地址', '2001:db8:0:7::1'],
      ['IPv6 前缀', '2001:db8:0:7::/64'],
    ]) {
      await expect.element(main().getByText(label!, { exact: true })).toBeVisible()
      await expect.element(main().getByText(value!, { exact: true })).toBeVisible()
    }
    await expect.element(main().getByText('ssh root@10.66.0.4 -p 22', { exact: true })).toBeVisible()
    await expectSoundEverywhere()
  })

  test('tell which added addresses its system has, and how its owner adds the others', async () => {
    const [has, lacks] = ['10.66.0.5', '10.66.0.6']
    const added = {
      ipAddresses: ['10.66.0.4', has, lacks],
      addedAddresses: [
        { address: has, cidr: `${has}/20`, inGuest: true },
        { address: lacks, cidr: `${lacks}/20`, inGuest: false },
      ],
    }
    await open(at('network'), { ...measured, 'console.details': { data: details(added) } })
    const rows = main().getByRole('listitem')
    await expect.element(rows.filter({ hasText: has }).getByText('已生效')).toBeVisible()
    const row = rows.filter({ hasText: '需在系统内添加' })
    await expect.element(row.getByText(`ip address add ${lacks}/20 dev`)).toBeVisible()
    await expect.element(row.getByRole('button', { name: `复制添加 ${lacks} 的命令` })).toBeVisible()
    await expectSoundEverywhere()
  })

  test('are bought where they are shown: closed, one is where one was', async () => {
    await open(at('network'), {
      ...measured,
      'shop.priceGroups': { data: [offer()] },
      'wallet.get': { data: { balance: 100, updatedAt: inDays(0) } },
    })
    await main().getByRole('button', { name: '增加 IP 地址' }).click()
    await expect.element(dialog.getByRole('slider', { name: 'IP 数量' })).toHaveFocus()
    expect(location.search).toBe('?part=network&upgrade=ipCount')
    await inDialog('取消').click()
    await expect.element(main().getByRole('button', { name: '增加 IP 地址' })).toHaveFocus()
    expect(location.search).toBe('?part=network')
  })

  test('an address that asks for more of what may not grow opens nothing; what is open stays when it may no more', async () => {
    const sold = {
      'shop.priceGroups': { data: [offer()] },
      'wallet.get': { data: { balance: 100, updatedAt: inDays(0) } },
    }
    const suspended = { 'orders.get': { data: order({ status: 'SUSPENDED' }) } }
    await open(`${at('network')}&upgrade=ipCount`, { ...measured, ...sold, ...suspended })
    await expect.element(main().getByRole('button', { name: '增加 IP 地址' })).toHaveAttribute('aria-disabled', 'true')
    expect(dialog.elements()).toEqual([])
    await answer({ ...measured, ...sold })
    readAgain()
    await expect.element(dialog.getByRole('slider', { name: 'IP 数量' })).toBeVisible()
    await answer({ ...measured, ...sold, ...suspended })
    readAgain()
    await expect
      .element(main().getByRole('button', { name: '增加 IP 地址', includeHidden: true }))
      .toHaveAttribute('aria-disabled', 'true')
    await expect.element(dialog).toBeVisible()
  })

  test('of a server without an address yet promise none', async () => {
    const none = { ipAddress: null, ipAddresses: [] }
    await open(at('network'), {
      ...consoleReads,
      'orders.get': { data: order({ ipAddress: null }) },
      'console.details': { data: details(none) },
    })
    await expect.element(main().getByText('SSH 命令')).toBeVisible()
    expect(main().getByText(/^ssh /).elements()).toEqual([])
    await expect
      .element(page.getByRole('button', { name: '连接', exact: true }))
      .toHaveAttribute('aria-disabled', 'true')
  })

  test('keep the switch against mistakes beside what it does, and lead to password and keys', async () => {
    await open(at('security'), consoleReads)
    await expect.element(page.getByRole('switch', { name: '保护（禁止重装和释放）' })).not.toBeChecked()
    await expect.element(main().getByRole('link', { name: '查看或重置' })).toHaveAttribute('href', consoleAddress)
    await expect.element(main().getByRole('link', { name: '管理密钥' })).toHaveAttribute('href', '/profile?part=keys')
    await expectSoundEverywhere()
  })

  test('list what was done page by page, with what went wrong', async () => {
    const all = Array.from({ length: 23 }, (_, n) => entry(n))
    const first = { ...pageOf(...all.slice(0, 20)), totalElements: 23, totalPages: 2, size: 20 }
    await open(at('logs'), { ...consoleReads, 'console.logs': { data: first } })
    const rows = () => main().getByRole('listitem').elements()
    await expect.poll(rows).toHaveLength(20)
    await expect.element(main().getByText('启动虚拟机失败')).toBeVisible()
    await expectSoundEverywhere()
    await answer({
      ...consoleReads,
      'console.logs': { data: { ...pageOf(...all.slice(20)), totalElements: 23, totalPages: 2, number: 1, size: 20 } },
    })
    await page.getByRole('navigation', { name: '分页' }).getByRole('button', { name: '下一页' }).click()
    await expect.poll(rows).toHaveLength(3)
    expect(await callsOf('console.logs')).toContainEqual({ id: details().id, page: 1, size: 20 })
  })

  test('whose log cannot be read, or is empty, say so', async () => {
    await open(at('logs'), { ...consoleReads, 'console.logs': 'lost' })
    await expect.element(main().getByRole('alert')).toMatchTextContent('加载操作日志失败')
    await answer(consoleReads)
    await pressOn('重试')
    await expect.element(main().getByText('还没有操作记录')).toBeVisible()
  })
})

describe('the head of a console', () => {
  const openPower = () => pressOn('电源')
  const menuEntry = (name: string) => page.getByRole('menuitem', { name })

  test('offers power and the way in in every part, asks first, and gives the reason of what cannot be', async () => {
    await open(at('network'), { ...consoleReads, 'console.act': 'no answer' })
    await openPower()
    await expect.element(menuEntry('启动')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(menuEntry('启动')).toMatchTextContent('服务器正在运行')
    await menuEntry('重启').click()
    await expect.element(question).toMatchTextContent('确认执行此操作？')
    await inQuestion('确认重启').click()
    await expect.poll(() => callsOf('console.act')).toHaveLength(1)
  })

  test('shows how to connect', async () => {
    await open(at('logs'), consoleReads)
    await pressOn('连接')
    await expect.element(dialog.getByText('ssh root@10.66.0.4 -p 22')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('is in a thumb’s reach on a phone, over whatever part of the page is shown', async () => {
    await open(consoleAddress, consoleReads)
    await page.viewport(390, 700)
    const connect = page.getByRole('button', { name: '连接', exact: true })
    await expect.poll(() => connect.element().getBoundingClientRect().bottom).toBeGreaterThan(600)
    window.scrollTo(0, document.body.scrollHeight)
    await expect.poll(() => connect.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(700)
    const footer = page.getByRole('contentinfo').element().getBoundingClientRect()
    expect(footer.bottom, 'the page ends above it').toBeLessThanOrEqual(connect.element().getBoundingClientRect().top)
    await openPower()
    await menuEntry('强制关机').click()
    await expect.element(question).toMatchTextContent('将立即断电')
  })

  test('of a server that was suspended for its end renews it right there', async () => {
    const suspended = order({ status: 'SUSPENDED', suspendReason: 'unpaid' })
    await open(consoleAddress, {
      ...consoleReads,
      'orders.get': { data: suspended },
      'console.details': { data: details({ orderStatus: 'SUSPENDED', power: 'off', status: 'OFFLINE' }) },
      ...renewing,
    })
    await renew()
    await expect.element(notices.getByText('续费成功')).toBeVisible()
  })

  test('of a server that runs renews it, too, and leads to its order and to what it can be upgraded to', async () => {
    await open(consoleAddress, { ...consoleReads, ...renewing })
    await expect
      .element(main().getByRole('link', { name: '查看订单' }))
      .toHaveAttribute('href', `/orders?orderId=${order().id}`)
    await expect.element(main().getByRole('button', { name: '升级配置' })).toBeEnabled()
    await renew()
    await expect.element(notices.getByText('续费成功')).toBeVisible()
  })

  test('of a server that is upgraded stays, and shows what becomes of it', async () => {
    await open(consoleAddress, {
      ...consoleReads,
      'shop.priceGroups': { data: [offer()] },
      'wallet.get': { data: { balance: 100, updatedAt: inDays(0) } },
      'orders.upgradeQuote': { data: growth },
      'orders.upgrade': { data: { jobId: id(5) } },
      'jobs.get': { data: { ...endedJob('resize'), status: 'RUNNING', finishedAt: null } },
    })
    await pressOn('升级配置')
    await dialog.getByRole('slider', { name: 'CPU' }).fill('3')
    await inDialog('确认升级').click()
    await expect.element(notices.getByText('升级任务已提交')).toBeVisible()
    await expect.element(main().getByText(/^正在升级配置/)).toBeVisible()
    expect(location.pathname + location.search).toBe(consoleAddress)
  })

  test('leads staff to the order among all, where another’s server is not theirs to upgrade', async () => {
    await open(consoleAddress, { ...consoleReads, 'orders.get': { data: order({ userId: id(90) }) } }, 'admin')
    await expect
      .element(main().getByRole('link', { name: '查看订单' }))
      .toHaveAttribute('href', `/all-orders?q=${order().orderNumber}`)
    await expect.element(main().getByRole('button', { name: '升级配置' })).not.toBeInTheDocument()
  })

  test('offers staff nothing that only its owner may: neither another name nor more addresses', async () => {
    const ofAnother = { ...measured, 'orders.get': { data: order({ userId: id(90) }) } } as const
    await open(`${at('network')}&upgrade=ipCount`, ofAnother, 'admin')
    await expect.element(main().getByRole('button', { name: '测试连接' })).toBeVisible()
    for (const name of ['修改服务器名称', '增加 IP 地址'])
      await expect.element(main().getByRole('button', { name })).not.toBeInTheDocument()
    expect(dialog.elements()).toEqual([])
  })

  test('offers staff no payment of another’s unpaid order', async () => {
    const unpaid = order({ userId: id(90), status: 'PENDING', serverId: null, server: null })
    await open(consoleAddress, { ...consoleReads, 'orders.get': { data: unpaid } }, 'admin')
    await expect.element(main().getByText('该订单尚未支付')).toBeVisible()
    await expect.element(main().getByRole('button', { name: '去支付' })).not.toBeInTheDocument()
  })
})

async function renew(): Promise<void> {
  await pressOn('续费')
  await expect.element(question).toMatchTextContent('¥67.15')
  await inQuestion('确认续费').click()
  await expect.poll(() => callsOf('orders.renew')).toHaveLength(1)
}

test('a server that an administrator suspended says until when its data are kept', async () => {
  const expiresAt = '2026-11-30T08:00:00.000Z'
  await open(consoleAddress, {
    ...consoleReads,
    'orders.get': { data: order({ status: 'SUSPENDED', suspendReason: 'admin', suspendNote: '对外攻击', expiresAt }) },
    'console.details': { data: details({ orderStatus: 'SUSPENDED', power: 'off', status: 'OFFLINE' }) },
  })
  await expect
    .element(main().getByText('管理员暂停：对外攻击。数据保留至 2026-12-03 16:00:00，请联系客服。'))
    .toBeVisible()
})

/** 320 px beside a scroll bar. */
test('what is done most stands whole in the bar of a narrow phone', async () => {
  await open(consoleAddress, consoleReads)
  await page.viewport(305, 640)
  const acts = ['电源', '远程连接', '连接'].map((name) => main().getByRole('button', { name, exact: true }))
  for (const act of acts) await expect.element(act).toBeVisible()
  const ends = acts.flatMap((act) =>
    [act.element().getBoundingClientRect()].flatMap(({ left, right }) => [left, right]),
  )
  expect(ends).toEqual(ends.toSorted((a, b) => a - b))
  expect(ends.at(-1)).toBeLessThanOrEqual(innerWidth - 8)
  await page.viewport(1440, 900)
})
