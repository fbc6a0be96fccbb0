import { expect, test } from 'vitest'
import { dialog, field, inDialog, pressOn } from '../../testing/act'
import { alertsRead, finding, group, host, pool } from '../../testing/operators-things'
import { callsOf, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { RouterOutputs, Script } from '../../testing/script'
import { id, pageOf } from '../../testing/things'

/** Lists and choices of an operator with hundreds of hosts. */
const numbered = <T extends { id: string; name: string }>(thing: T, name: string, many: number): T[] =>
  Array.from({ length: many }, (_, n) => ({ ...thing, id: id(1000 + n), name: `${name} ${n + 1}` }))
const groups = numbered(group, '分组', 30)
const reads: Script = {
  'catalogue.groups': { data: pageOf(...groups) },
  'pools.list': { data: pageOf(pool) },
  'hosts.list': { data: pageOf(host) },
}

test('hosts are narrowed by state and group, and by the pool that a link names', async () => {
  await open(
    `/hosts?pool=${pool.id}`,
    { ...reads, 'hosts.list': { data: pageOf({ ...host, pools: [pool] }) } },
    'admin',
  )
  await expect.element(main().getByRole('button', { name: `移除条件 IP 池 ${pool.name}` })).toBeVisible()
  await field('状态').selectOptions('失联')
  await field('服务器分组').selectOptions(`${group.categoryName} / 分组 7`)
  await expect
    .poll(async () => (await callsOf('hosts.list')).at(-1))
    .toMatchObject({ state: 'SILENT', groupId: id(1006), poolId: pool.id })
  await expectSoundEverywhere()
  await main().getByRole('button', { name: '重置' }).click()
  await expect.poll(() => location.search).toBe('')
})

test('findings are narrowed by their kind', async () => {
  await open('/findings', { ...alertsRead, 'findings.list': { data: pageOf(finding()) } }, 'admin')
  await field('类型').selectOptions('磁盘读写出错')
  await expect.poll(async () => (await callsOf('findings.list')).at(-1)).toMatchObject({ kind: 'io-error-domain' })
  expect(location.search).toBe('?kind=io-error-domain')
})

test('a pool of many hosts names the first of them and leads to all', async () => {
  const hosts = Array.from({ length: 400 }, (_, n) => `node-${n + 1}`)
  await open('/ip-pools', { 'pools.list': { data: pageOf({ ...pool, hosts }) } }, 'admin')
  await expect
    .element(main().getByRole('link', { name: 'node-1、node-2 等 400 台', exact: true }))
    .toHaveAttribute('href', `/hosts?pool=${pool.id}`)
  await expectSoundEverywhere()
})

test('among many groups those of the host stand first, and others are found by a search whose Enter sends nothing', async () => {
  const own = groups.slice(-2)
  await open('/hosts', { ...reads, 'hosts.list': { data: pageOf({ ...host, groups: own }) } }, 'admin')
  await pressOn(`编辑 ${host.name}`)
  const choices = dialog.getByRole('group', { name: '服务器分组' }).getByRole('checkbox')
  await expect.poll(() => choices.elements()).toHaveLength(30)
  await expect.element(choices.nth(0)).toHaveAccessibleName(`${group.categoryName} / 分组 29`)
  await expect.element(choices.nth(1)).toBeChecked()
  await expect.element(choices.nth(2)).not.toBeChecked()
  await field('搜索服务器分组').fill('组 17')
  await expect.poll(() => choices.elements()).toHaveLength(1)
  await choices.click()
  await field('搜索服务器分组').fill('nothing')
  await expect.element(dialog.getByText('没有匹配的选项')).toBeVisible()
  await expectSoundEverywhere()
  const { userEvent } = await import('vitest/browser')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog).toBeVisible()
  expect(await callsOf('hosts.update')).toEqual([])
  await inDialog('取消').click()
})

test('the overview shows the groups that have the least left, and begins the hosts with those to be looked at', async () => {
  const quiet = { data: overviewWith(groups.map(({ id, name }, n) => ({ id, name, smallestLeft: 500 - n }))) }
  const latency: Script = {
    'operations.latency': {
      data: { range: 'hour', stepSeconds: 60, points: [], current: { requests: 0, p50Ms: null, p95Ms: null } },
    },
  }
  await open('/overview', { ...reads, ...latency, 'operations.overview': quiet }, 'admin')
  await expect.element(main().getByText('最少的 8 个，按 2 核 4 GB 40 GB 计')).toBeVisible()
  await expect.poll(() => main().getByRole('link', { name: /^分组/ }).elements()).toHaveLength(8)
  await expect.element(main().getByRole('link', { name: /^分组/ }).first()).toMatchTextContent('分组 30')
  await expect.poll(() => callsOf('hosts.list')).toContainEqual({ page: 0, size: 7, order: 'care' })
})

const overviewWith = (
  groups: RouterOutputs['operations']['overview']['groups'],
): RouterOutputs['operations']['overview'] => {
  const days = Array.from({ length: 30 }, (_, n) => new Date(Date.UTC(2026, 9, 22 + n)).toISOString().slice(0, 10))
  return {
    firstSale: null,
    incomeByDay: days.map((day) => ({ day, recharged: 0, spent: 0, refunded: 0 })),
    setUpByDay: days.map((day) => ({ day, count: 0, p50: null, p95: null })),
    failedJobsByDay: days.map((day) => ({ day, count: 0 })),
    ordersByStatus: {},
    groups,
    hosts: { total: 403, alive: 383, silent: 20, findings: 1500 },
    failedJobs: 0,
    openJobs: 0,
    newUsers: 0,
    setUpSeconds: null,
    setUpSteps: [],
    pendingRefunds: 0,
  }
}
