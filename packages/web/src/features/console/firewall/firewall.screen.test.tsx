import * as text from '@vps/shared/text'
import { noFirewall } from '@vps/shared/firewall'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dialog, field, inDialog, inQuestion, notices, pressOn, readAgain } from '../../../testing/act'
import { consoleAddress, consoleReads } from '../../../testing/customers-acts'
import { answer, callsOf, expectSoundEverywhere, main, open, tipOf } from '../../../testing/screen'
import type { RouterOutputs, Script } from '../../../testing/script'
import { details, endedJob, firewall, id, inDays, offer, order } from '../../../testing/things'

const at = `${consoleAddress}?part=network`
const having = (view: RouterOutputs['firewall']['get']): Script => ({
  ...consoleReads,
  'firewall.get': { data: view },
  'jobs.get': { data: endedJob('applyFirewall') },
})
const none = firewall({ firewall: noFirewall, revision: 0, state: 'OFF' })
const rows = () =>
  main()
    .getByRole('list', { name: '防火墙规则' })
    .getByRole('listitem')
    .elements()
    .map((row) => row.querySelector('b')?.textContent)

test('without rules it says so and offers templates; one is taken over, and saved from the revision that was seen', async () => {
  await open(at, { ...having(none), 'firewall.save': { data: { jobId: id(90) } } })
  await expect.element(main().getByText('还没有规则')).toBeVisible()
  await expect.element(main().getByText('未启用')).toBeVisible()
  await pressOn('网站服务器')
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 TCP 80', '入站 TCP 443', '入站 ICMP'])
  await expectSoundEverywhere()
  await pressOn('保存并应用')
  await expect.element(notices.getByText(text.submitted)).toBeVisible()
  expect(await callsOf('firewall.save')).toMatchObject([
    { serverId: details().id, revision: 0, firewall: { enabled: true, inbound: 'drop', outbound: 'accept' } },
  ])
})

test('what is changed while it is saved stays, and is saved next, from the revision that the first save made', async () => {
  await open(at, { ...having(firewall()), 'firewall.save': 'no answer' })
  await pressOn('删除 第2条 入站 ICMP')
  await pressOn('保存并应用')
  await expect.poll(() => callsOf('firewall.save')).toHaveLength(1)
  await pressOn('网站服务器')
  const { firewall: before } = firewall()
  // The server says which is next, and it need not be one more.
  const saved = firewall({ firewall: { ...before, rules: before.rules.slice(0, 1) }, revision: 1_000_001 })
  const save = { 'firewall.save': { data: { jobId: id(90) } } } as const
  await answer({ ...having(saved), ...save, 'firewall.get': 'no answer' })
  await expect.element(notices.getByText(text.submitted)).toBeVisible()
  await expect.element(main().getByRole('button', { name: '保存并应用' })).toHaveAttribute('aria-busy', 'true')
  await answer({ ...having(saved), ...save })
  await expect.element(main().getByRole('button', { name: '保存并应用' })).not.toHaveAttribute('aria-busy')
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 TCP 80', '入站 TCP 443', '入站 ICMP'])
  await pressOn('保存并应用')
  await expect
    .poll(async () => (await callsOf('firewall.save')).at(-1))
    .toMatchObject({ revision: saved.revision, firewall: { rules: { length: 4 } } })
})

test('a save whose answer was lost is no change of somebody else’s to the next one', async () => {
  await open(at, { ...having(firewall()), 'firewall.save': 'no answer' })
  await pressOn('删除 第2条 入站 ICMP')
  await pressOn('保存并应用')
  await expect.poll(() => callsOf('firewall.save')).toHaveLength(1)
  const { firewall: before, revision } = firewall()
  const saved = firewall({ firewall: { ...before, rules: before.rules.slice(0, 1) }, revision: revision + 1 })
  await answer({ ...having(saved), 'firewall.save': 'no answer' })
  readAgain()
  await expect.element(main().getByText('有未保存的规则')).not.toBeInTheDocument()
  await pressOn('添加规则')
  await field('目标端口').fill('80')
  await inDialog('加入列表').click()
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 TCP 80'])
  await pressOn('保存并应用')
  await expect
    .poll(async () => (await callsOf('firewall.save')).at(-1))
    .toMatchObject({ revision: revision + 1, firewall: { rules: { length: 2 } } })
})

test('one that nobody waits for any more is none either, where rules were changed since', async () => {
  await open(at, { ...having(firewall()), 'firewall.save': 'lost' })
  await pressOn('删除 第2条 入站 ICMP')
  await pressOn('保存并应用')
  await pressOn('不再等待')
  await expect.element(main().getByRole('alert').filter({ hasText: text.outcomeUnknown })).toBeVisible()
  await pressOn('添加规则')
  await field('目标端口').fill('80')
  await inDialog('加入列表').click()
  const { firewall: before, revision } = firewall()
  const changes = { firewall: { ...before, rules: before.rules.slice(0, 1) }, revision: revision + 1 }
  await answer({ ...having(firewall({ ...changes, state: 'APPLYING' })), 'firewall.save': 'no answer' })
  readAgain()
  await expect.element(main().getByText('正在应用', { exact: true })).toBeVisible()
  await pressOn('保存并应用')
  await expect
    .poll(async () => (await callsOf('firewall.save')).at(-1))
    .toMatchObject({ revision: revision + 1, firewall: { rules: { length: 2 } } })
})

test('rules that are as they were again give way to what was saved elsewhere', async () => {
  await open(at, having(firewall()))
  await pressOn('下移 第1条 入站 TCP 22')
  await pressOn('上移 第2条 入站 TCP 22')
  await expect.element(main().getByText('有未保存的规则')).not.toBeInTheDocument()
  await answer(having(none))
  readAgain()
  await expect.element(main().getByText('还没有规则')).toBeVisible()
  await expect.element(main().getByText('有未保存的规则')).not.toBeInTheDocument()
})

test('a range of ports can be typed on an iPhone, whose keys for numbers have no hyphen', async () => {
  await open(at, having(firewall()))
  await pressOn('添加规则')
  await expect.element(field('目标端口')).toHaveAttribute('placeholder', '80 或 8000-8100')
  await expect.element(field('目标端口')).not.toHaveAttribute('inputmode')
})

test('rules change places, are edited, removed and added; what is not a port or an address is refused at its field', async () => {
  await open(at, having(firewall()))
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 ICMP'])
  await pressOn('下移 第1条 入站 TCP 22')
  await expect.poll(rows).toEqual(['入站 ICMP', '入站 TCP 22'])
  await pressOn('删除 第1条 入站 ICMP')
  await pressOn('添加规则')
  await field('目标端口').fill('80-')
  await field('来源地址').fill('nowhere')
  await inDialog('加入列表').click()
  await expect.element(dialog.getByText(text.firewallPortWrong)).toBeVisible()
  await expect.element(dialog.getByText(text.firewallRemoteWrong)).toBeVisible()
  await expectSoundEverywhere()
  await field('目标端口').fill('8000-8100')
  await field('来源地址').fill('2001:db8::/32')
  await inDialog('加入列表').click()
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 TCP 8000-8100'])
  await pressOn('编辑 第2条 入站 TCP 8000-8100')
  await field('协议').selectOptions('icmp')
  await inDialog('修改规则').click()
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 ICMP'])
  await pressOn('放弃修改')
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 ICMP'])
  await expect.element(main().getByRole('button', { name: '保存并应用' })).not.toBeInTheDocument()
})

test('who removes rules, gives changes up or saves them by the keyboard stays beside what goes', async () => {
  await open(at, { ...having(firewall()), 'firewall.save': { data: { jobId: id(90) } } })
  const press = async (name: string) => {
    const button = main().getByRole('button', { name, exact: true })
    await expect.element(button).toBeVisible()
    button.element().focus()
    await userEvent.keyboard('{Enter}')
  }
  await press('删除 第1条 入站 TCP 22')
  await expect.element(main().getByRole('button', { name: '删除 第1条 入站 ICMP', exact: true })).toHaveFocus()
  await press('删除 第1条 入站 ICMP')
  await expect.element(main().getByText('还没有规则')).toBeVisible()
  const first = main().getByRole('switch', { name: '启用防火墙' })
  await expect.element(first).toHaveFocus()
  await press('放弃修改')
  await expect.element(main().getByText('有未保存的规则')).not.toBeInTheDocument()
  await expect.element(first).toHaveFocus()
  await press('网站服务器')
  await press('保存并应用')
  await expect.element(main().getByText('有未保存的规则')).not.toBeInTheDocument()
  await expect.element(first).toHaveFocus()
})

test('who would shut everybody out of SSH, or all but some, is told before it is saved', async () => {
  await open(at, having(firewall()))
  await pressOn('删除 第1条 入站 TCP 22')
  await expect.element(main().getByText(/端口 22 对所有人关闭/)).toBeVisible()
  await expectSoundEverywhere()
  await pressOn('添加规则')
  await field('目标端口').fill('22')
  await field('来源地址').fill('203.0.113.5')
  await inDialog('加入列表').click()
  await expect.element(main().getByText(/端口 22 只对部分地址开放/)).toBeVisible()
})

test('what somebody else saved meanwhile is said, and read on demand', async () => {
  await open(at, { ...having(firewall()), 'firewall.save': { refused: 'CONFLICT' } })
  await pressOn('删除 第2条 入站 ICMP')
  await pressOn('保存并应用')
  await expect.element(main().getByText('规则已在别处被修改，请载入后重新编辑。')).toBeVisible()
  await answer(having(none))
  await pressOn('载入新规则')
  await expect.element(main().getByText('还没有规则')).toBeVisible()
})

test('whatever leads to another part or page asks while rules are unsaved', async () => {
  await open(at, having(firewall()))
  await pressOn('删除 第2条 入站 ICMP')
  const overview = page.getByRole('link', { name: '概览' })
  await overview.click()
  await inQuestion('取消').click()
  await expect.poll(rows).toEqual(['入站 TCP 22'])
  await pressOn('远程连接')
  await inQuestion('取消').click()
  await overview.click()
  await inQuestion('离开且不保存').click()
  await expect.poll(() => location.search).toBe('')
})

test('what is bought where rules are unsaved leads nowhere, and keeps them', async () => {
  await open(at, {
    ...having(firewall()),
    'shop.priceGroups': { data: [offer()] },
    'wallet.get': { data: { balance: 100, updatedAt: inDays(0) } },
  })
  await pressOn('删除 第2条 入站 ICMP')
  await pressOn('增加 IP 地址')
  await inDialog('取消').click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.poll(rows).toEqual(['入站 TCP 22'])
})

test.each([
  ['APPLYING', '正在应用'],
  ['HOST_AWAY', '等待宿主机恢复'],
  ['FAILED', '应用失败'],
] as const)('how far the last save is: %s', async (state, word) => {
  await open(at, having(firewall({ state })))
  await expect.element(main().getByText(word, { exact: true })).toBeVisible()
})

test('of a suspended server they are only read, and a dedicated one has none', async () => {
  await open(at, {
    ...having(firewall()),
    'orders.get': { data: order({ status: 'SUSPENDED', suspendReason: 'admin' }) },
  })
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 ICMP'])
  await expect.element(page.getByRole('button', { name: /^上移/ })).not.toBeInTheDocument()
  await expect.element(page.getByRole('switch', { name: '启用防火墙' })).toBeDisabled()
  for (const name of ['入站默认', '出站默认'])
    for (const choice of main().getByRole('radiogroup', { name }).getByRole('radio').elements())
      await expect.element(choice).toBeDisabled()
  await answer({ ...consoleReads, 'console.details': { data: details({ driver: 'ssh' }) } })
  await pressOn('刷新数据')
  await expect.element(main().getByRole('list', { name: '防火墙规则' })).not.toBeInTheDocument()
})

test('what was changed before the server was suspended is kept, and why it is not saved is said', async () => {
  await open(at, having(firewall()))
  await pressOn('删除 第2条 入站 ICMP')
  const suspended = order({ status: 'SUSPENDED', suspendReason: 'admin' })
  await answer({ ...having(firewall()), 'orders.get': { data: suspended } })
  readAgain()
  const save = main().getByRole('button', { name: '保存并应用' })
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(tipOf(save)).toBe('订单未处于活跃状态，不能操作服务器')
  await expect.poll(rows).toEqual(['入站 TCP 22'])
  await answer(having(firewall()))
  readAgain()
  await expect.element(save).not.toHaveAttribute('aria-disabled')
})

test('rules that cannot be read say so, and are read again', async () => {
  await open(at, { ...consoleReads, 'firewall.get': 'lost' })
  await expect.element(main().getByText('加载防火墙失败')).toBeVisible()
  await answer(having(firewall()))
  const failed = main().getByRole('alert').filter({ hasText: '加载防火墙失败' })
  await failed.getByRole('button', { name: '重试' }).click()
  await expect.poll(rows).toEqual(['入站 TCP 22', '入站 ICMP'])
})
