import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { pressOn } from '../../../testing/act'
import { alertsRead, anyOrder, finding, host, hostAddress, hostReads, job } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../../testing/screen'
import { id, inDays, pageOf } from '../../../testing/things'

const partLink = (name: string) =>
  page.getByRole('navigation', { name: '宿主机的各部分' }).getByRole('link', { name, exact: true })
const at = (part: string) => `${hostAddress}?part=${part}`
const link = (name: string) => main().getByRole('link', { name, exact: true })

describe('the page of a host', () => {
  test('has the name as its heading, the state, what is taken, the room that is left and how long it lasts', async () => {
    await open(hostAddress, hostReads, 'admin')
    await expect.element(page.getByRole('heading', { level: 1, name: host.name })).toBeVisible()
    await expect.element(main().getByText('可用', { exact: true })).toBeVisible()
    await expect.element(main().getByText('QEMU 10.0.2')).toBeVisible()
    expect(main().getByText(/KVM/).elements()).toEqual([])
    await expect.element(main().getByRole('meter', { name: '已分配内存' })).toHaveAttribute('aria-valuenow', '26')
    await expect.element(main().getByText('按 2 核 4 GB 40 GB 计')).toBeVisible()
    await expect.element(main().getByText(/近 30 天净增 2 台服务器.*内存约 172 天后最先放满/)).toBeVisible()
    await expect.element(partLink('概览')).toHaveAttribute('aria-current', 'page')
    await expectSoundEverywhere()
  })

  test('leads back to the list as it was left', async () => {
    await open('/hosts?q=hk&page=2', { ...hostReads, 'hosts.list': { data: pageOf(host) } }, 'admin')
    await main().getByRole('link', { name: host.name, exact: true }).click()
    await page.getByRole('link', { name: '返回' }).click()
    await expect.poll(() => location.pathname + location.search).toBe('/hosts?q=hk&page=2')
  })

  test('foretells nothing of a host that was not there for a month', async () => {
    await open(hostAddress, { ...hostReads, 'hosts.growth': { data: null } }, 'admin')
    await expect.element(main().getByText('接入不满 30 天，还不能估计。')).toBeVisible()
    expect(main().getByText(/天后/).elements()).toEqual([])
  })

  test('says that its machines are emulated where it has no KVM', async () => {
    const hypervisorVersion = 'QEMU 10.0.2 (qemu, nwfilter)'
    await open(hostAddress, { ...hostReads, 'hosts.get': { data: { ...host, hypervisorVersion } } }, 'admin')
    await expect.element(main().getByText(/没有可用的硬件虚拟化（KVM）/)).toBeVisible()
    await expectSoundEverywhere()
  })

  test('says what to do where it is not heard, as the mail of it does, and nothing where that is meant', async () => {
    const silent = { ...host, alive: false, lastSeenAt: inDays(-1) }
    await open(hostAddress, { ...hostReads, 'hosts.get': { data: silent } }, 'admin')
    await expect.element(main().getByText(/^请检查宿主机的电源与网络/)).toBeVisible()
    await expectSoundEverywhere()
    await answer({ ...hostReads, 'hosts.get': { data: { ...silent, status: 'MAINTENANCE' } } })
    await pressOn('刷新')
    await expect.element(main().getByText('维护中')).toBeVisible()
    expect(
      main()
        .getByText(/^请检查宿主机/)
        .elements(),
    ).toEqual([])
  })

  test.each([
    ['outdated-agent', '代理版本过旧', /换成与门户相同的版本.*systemctl restart vps-agent/],
    ['newer-agent', '代理比门户新', /请升级门户的所有进程/],
  ] as const)(
    'says of an agent that is refused (%s) which side to upgrade, and not to look at its power',
    async (kind, name, advice) => {
      const trouble: (typeof host)['trouble'] = { level: 'away', kinds: [kind], since: inDays(-1) }
      const refused = { ...host, alive: false, lastSeenAt: inDays(-1), trouble, findings: 1 }
      await open(hostAddress, { ...hostReads, 'hosts.get': { data: refused } }, 'admin')
      await expect.element(main().getByText(new RegExp(`^${name}，自`))).toBeVisible()
      await expect.element(main().getByText(advice)).toBeVisible()
      expect(
        main()
          .getByText(/电源与网络/)
          .elements(),
      ).toEqual([])
      await expectSoundEverywhere()
    },
  )

  test('says what ails it and since when', async () => {
    const trouble: (typeof host)['trouble'] = { level: 'away', kinds: ['libvirt-away'], since: inDays(-1) }
    await open(hostAddress, { ...hostReads, 'hosts.get': { data: { ...host, trouble, findings: 1 } } }, 'admin')
    await expect.element(main().getByText('宿主机异常')).toBeVisible()
    await expect.element(main().getByText(/^libvirt 没有响应，自 \d{4}/)).toBeVisible()
    await expectSoundEverywhere()
  })

  test.each([
    ['servers', '服务器', 'servers.list', { hostId: host.id }],
    ['migrations', '迁移', 'migrations.list', { hostId: host.id }],
    ['jobs', '任务', 'jobs.list', { hostId: host.id }],
    ['findings', '发现项', 'findings.list', { hostId: host.id, open: true }],
    ['images', '镜像', 'images.list', {}],
    ['addresses', '地址', 'hosts.addresses', { hostId: host.id }],
    ['audit', '审计日志', 'audit.list', { subjectKind: 'host', subjectId: host.id }],
  ] as const)('shows %s of this host alone, at an address of its own', async (part, name, read, asked) => {
    await open(hostAddress, hostReads, 'admin')
    await partLink(name).click()
    await expect.element(partLink(name)).toHaveAttribute('aria-current', 'page')
    expect(location.search).toBe(`?part=${part}`)
    await expect.poll(() => callsOf(read)).toMatchObject([asked])
    await expectSoundEverywhere()
  })

  test.each([
    ['images', 'images.list', '加载镜像失败', '暂无镜像'],
    ['addresses', 'hosts.addresses', '加载地址失败', '暂无地址'],
  ] as const)('says of %s what could not be read, and that nothing is there', async (part, read, failed, empty) => {
    await open(at(part), { ...hostReads, [read]: { refused: 'INTERNAL' } }, 'admin')
    await expect.element(main().getByText(failed)).toBeVisible()
    await answer({ ...hostReads, [read]: { data: pageOf() } })
    await pressOn('重试')
    await expect.element(main().getByText(empty)).toBeVisible()
    await expectSoundEverywhere()
  })

  test('says what could not be read, and reads again on request', async () => {
    await open(hostAddress, { ...hostReads, 'hosts.get': { refused: 'INTERNAL' } }, 'admin')
    await expect.element(main().getByText('加载宿主机失败')).toBeVisible()
    await answer(hostReads)
    await pressOn('重试')
    await expect.element(page.getByRole('heading', { level: 1, name: host.name })).toBeVisible()
  })

  test('says of its load that it could not be read, or that there is too little of it', async () => {
    await open(hostAddress, { ...hostReads, 'hosts.load': { refused: 'INTERNAL' } }, 'admin')
    await expect.element(main().getByText(/^负载读取失败/)).toBeVisible()
    await answer(hostReads)
    await pressOn('重试')
    await expect.element(main().getByText(/^这段时间内没有足够的数据/)).toBeVisible()
    await main().getByRole('radio', { name: '7 天' }).click({ force: true })
    await expect.poll(() => callsOf('hosts.load')).toContainEqual({ id: host.id, range: 'week' })
  })
})

describe('what is named leads to its page', () => {
  const order = anyOrder().orderNumber

  test('from the jobs: host, server, order and customer', async () => {
    await open('/jobs', hostReads, 'admin')
    await expect.element(link(host.name)).toHaveAttribute('href', hostAddress)
    await expect.element(link(job().serverName)).toHaveAttribute('href', `/server-manage/${id(11)}`)
    await expect.element(link(order)).toHaveAttribute('href', `/all-orders?q=${order}`)
    await expect.element(link('demo')).toHaveAttribute('href', `/users/${id(2)}`)
  })

  test('from the findings: host, server and customer', async () => {
    await open('/findings', { ...hostReads, ...alertsRead }, 'admin')
    await expect.element(link(host.name)).toHaveAttribute('href', hostAddress)
    await expect.element(link(finding().serverName ?? '')).toHaveAttribute('href', `/server-manage/${id(11)}`)
    await expect.element(link('demo')).toHaveAttribute('href', `/users/${id(2)}`)
  })

  test.each(['/servers', '/hosts'])('from %s the host', async (path) => {
    await open(path, { ...hostReads, 'hosts.list': { data: pageOf(host) } }, 'admin')
    await expect.element(link(host.name)).toHaveAttribute('href', hostAddress)
  })

  test('from the audit log: who, and what by its name; what is gone keeps its number', async () => {
    const entry = (n: number, subjectKind: string, subjectId: string, subjectName: string | null) =>
      ({
        id: id(n),
        at: inDays(0),
        actorKind: 'admin',
        actorId: id(3),
        actorName: 'boss',
        action: 'host.move',
        subjectKind,
        subjectId,
        subjectName,
        address: null,
        details: {},
      }) as const
    const entries = [entry(141, 'host', host.id, host.name), entry(142, 'group', id(77), null)]
    await open('/audit', { 'audit.list': { data: pageOf(...entries) } }, 'admin')
    await expect.element(link(host.name)).toHaveAttribute('href', hostAddress)
    await expect.element(link('boss').first()).toHaveAttribute('href', `/users/${id(3)}`)
    await expect.element(main().getByText(id(77))).toBeVisible()
    await expectSoundEverywhere()
  })
})

test.each(['/payments', '/audit', '/jobs', '/findings'])('%s is asked for from one day to another', async (path) => {
  const read = {
    '/payments': 'payments.all',
    '/audit': 'audit.list',
    '/jobs': 'jobs.list',
    '/findings': 'findings.list',
  }[path] as 'jobs.list'
  await open(`${path}?from=2026-11-01`, { ...alertsRead, [read]: { data: pageOf() } }, 'admin')
  await main().getByLabelText('结束日期', { exact: true }).fill('2026-11-03')
  await expect
    .poll(() => callsOf(read))
    .toContainEqual(expect.objectContaining({ from: '2026-11-01', to: '2026-11-03' }))
})
