import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { alertsRead } from '../../testing/operators-things'
import { answer, callsOf, expectSound, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { CallPath, Script } from '../../testing/script'

/** Every list unread, failed, empty, and filtered to nothing. */
type List = {
  path: string
  read: CallPath
  failed: string
  what: string
  empty: string
  none: string | null
}
const lists = [
  ['/categories', 'catalogue.categories', '获取服务器类别失败', '服务器分类', '暂无服务器分类', '?q=zzz'],
  ['/groups', 'catalogue.groups', '获取服务器分组失败', '服务器分组', '暂无服务器分组', '?q=zzz'],
  ['/servers', 'servers.list', '获取服务器失败', '服务器', '暂无服务器', '?q=zzz'],
  ['/price-groups', 'catalogue.priceGroups', '获取价格组失败', '价格组', '暂无价格组', '?q=zzz'],
  ['/all-orders', 'orders.all', '加载订单失败', '订单', '暂无订单', '?q=zzz'],
  ['/payments', 'payments.all', '加载支付记录失败', '支付记录', '暂无支付记录', '?q=zzz'],
  ['/refunds', 'refunds.list', '加载退款申请失败', '退款申请', '暂无退款申请', '?status=REJECTED'],
  ['/hosts', 'hosts.list', '加载宿主机失败', '宿主机', '暂无宿主机', '?q=zzz'],
  ['/images', 'images.list', '加载镜像失败', '镜像', '暂无镜像', '?q=zzz'],
  ['/ip-pools', 'pools.list', '加载IP 池失败', 'IP 池', '暂无IP 池', '?q=zzz'],
  ['/jobs', 'jobs.list', '加载任务失败', '任务', '暂无任务', '?kind=redefine'],
  ['/findings', 'findings.list', '加载发现项失败', '发现项', '一切正常', '?kind=wrong-clock'],
  ['/users', 'users.list', '加载用户失败', '用户', '暂无用户', '?q=zzz'],
  ['/announcements', 'announcements.list', '加载公告失败', '公告', '暂无公告', null],
  ['/incidents', 'status.incidents', '加载服务事件失败', '服务事件', '暂无服务事件', null],
  ['/audit', 'audit.list', '加载审计记录失败', '审计记录', '暂无审计记录', '?actor=zzz'],
] as const
const rows: List[] = lists.map(([path, read, failed, what, empty, none]) => ({ path, read, failed, what, empty, none }))

const nothing = { data: { content: [], totalElements: 0, totalPages: 0, number: 0, size: 10 } }
const beside: Script = {
  'catalogue.groups': nothing,
  'hosts.list': nothing,
  ...alertsRead,
}
const problem = () => main().getByRole('alert')

async function exportAs(format: string): Promise<void> {
  await main().getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('menuitem', { name: format }).click()
}

/** What the browser was told to save. */
function answerExports(reply: () => Response): string[] {
  const saved: string[] = []
  const send = window.fetch
  vi.spyOn(window, 'fetch').mockImplementation((input, init) =>
    typeof input === 'string' && input.startsWith('/api/exports/')
      ? new Promise((resolve) => resolve(reply()))
      : send(input, init),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.getAttribute('href') ?? '')
  })
  return saved
}

test.each([
  [() => Response.json({ message: '请先登录' }, { status: 401 }), '导出失败：请先登录'],
  [() => new Response('<h1>502</h1>', { status: 502 }), '导出失败：服务器错误，请稍后重试'],
  [
    () => {
      throw new TypeError('Failed to fetch')
    },
    '导出失败：网络连接错误',
  ],
])('an export that is not given is told in a sentence, and saved as no file', async (reply, sentence) => {
  await open('/all-orders', { ...beside, 'orders.all': nothing }, 'admin')
  const saved = answerExports(reply)
  await exportAs('CSV')
  await expect.element(page.getByText(sentence)).toBeVisible()
  expect(saved).toEqual([])
})

describe.each(rows)('$path', ({ path, read, failed, what, empty, none }) => {
  test('is a skeleton in its final layout while it is read', async () => {
    await open(path, { ...beside, [read]: 'no answer' }, 'admin')
    await expect.element(page.getByRole('table', { name: what })).toHaveAttribute('aria-busy', 'true')
    await expectSound()
    await page.viewport(390, 900)
    await expect.element(page.getByRole('status', { name: `正在加载${what}` })).toBeVisible()
    expect(page.getByText(`暂无${what}`).elements()).toEqual([])
  })

  test('says what failed, and reads again on request', async () => {
    await open(path, { ...beside, [read]: { refused: 'INTERNAL' } }, 'admin')
    await expect.element(problem()).toMatchTextContent(failed)
    await expectSoundEverywhere()
    await answer({ ...beside, [read]: nothing })
    await problem().getByRole('button', { name: '重试' }).click()
    await expect.element(main().getByText(empty, { exact: true })).toBeVisible()
    expect(problem().elements()).toEqual([])
  })

  test('says that nothing is there yet', async () => {
    await open(path, { ...beside, [read]: nothing }, 'admin')
    await expect.element(main().getByText(empty, { exact: true })).toBeVisible()
    await expectSoundEverywhere()
  })

  test('is offered as a file, with the conditions that it is shown by', async () => {
    await open(path + (none ?? ''), { ...beside, [read]: nothing }, 'admin')
    const saved = answerExports(() => new Response('rows'))
    await exportAs('CSV')
    await expect.poll(() => saved).toEqual([expect.stringMatching(/^\/api\/exports\/[a-z-]+(\?|$)/)])
    const [address = ''] = saved
    await exportAs('Excel')
    await expect.poll(() => saved[1]).toBe(address.replace(/(?=\?|$)/, '.xlsx'))
    await main().getByRole('button', { name: '导出', exact: true }).click()
    await expect.element(page.getByRole('menuitem', { name: 'CSV' })).toBeVisible()
    await expectSoundEverywhere()
    await expect.poll(() => callsOf(read)).not.toEqual([])
    const asked = Object.entries((await callsOf(read)).at(-1) ?? {}).filter(
      ([name]) => !['page', 'size'].includes(name),
    )
    const query = new URLSearchParams(address.split('?')[1])
    expect(Object.fromEntries(query)).toEqual(Object.fromEntries(asked.map(([name, value]) => [name, String(value)])))
  })

  if (none === null) return
  test('says that nothing fits, and takes the filter away on request', async () => {
    await open(path + none, { ...beside, [read]: nothing }, 'admin')
    await expect.element(page.getByText(`没有符合条件的${what}`)).toBeVisible()
    await expectSoundEverywhere()
    await page.getByRole('button', { name: '清除筛选' }).click()
    await expect.element(main().getByText(empty, { exact: true })).toBeVisible()
    expect(location.pathname + location.search).toBe(path)
  })
})

test('a list counted roughly says so over it, too', async () => {
  const rough = { content: [], totalElements: 10_000, totalIsEstimate: true, totalPages: 1000, number: 0, size: 10 }
  await open('/audit', { ...beside, 'audit.list': { data: rough } }, 'admin')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('审计日志 (约 10000)')
})
