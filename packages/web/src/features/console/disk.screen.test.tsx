import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { inQuestion, notices, pressOn, question } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, callsOf, expectSoundEverywhere, main, open, tipOf } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, endedJob, id, order, snapshot } from '../../testing/things'

const at = `${consoleAddress}?part=disk`
const partLink = page.getByRole('navigation', { name: '服务器的各部分' }).getByRole('link', { name: '磁盘与快照' })
const having = (used: number, most: number, change: Parameters<typeof details>[0] = {}): Script => ({
  ...consoleReads,
  'console.details': { data: details({ snapshots: { used, most }, ...change }) },
  'jobs.get': { data: endedJob('snapshot') },
})
const button = (name: string) => main().getByRole('button', { name, exact: true })

test('without any, it says what they are for, how many there may be, and offers to take one', async () => {
  await open(at, { ...having(0, 1), 'snapshots.list': { data: [] } })
  await expect.element(main().getByText('还没有快照')).toBeVisible()
  await expect.element(main().getByText('已用 0 / 1 个，不另收费')).toBeVisible()
  await expectSoundEverywhere()
})

test('each is named with its moment, its state and its bound; one that is being made or failed is no way back', async () => {
  const all = [
    snapshot({ id: id(73), name: '第三个', state: 'CREATING' }),
    snapshot({ id: id(72), name: '失败的', state: 'FAILED' }),
    snapshot({ name: '很长的名称'.repeat(12) }),
  ]
  await open(at, { ...having(3, 3), 'snapshots.list': { data: all } })
  await expect.element(main().getByText('正在创建')).toBeVisible()
  await expect.element(main().getByText('创建失败')).toBeVisible()
  await expect
    .element(
      main()
        .getByText(/最多占用 40 GB/)
        .first(),
    )
    .toBeVisible()
  for (const name of ['恢复 第三个', '恢复 失败的', '创建快照'])
    await expect.element(button(name)).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button('删除 失败的')).not.toHaveAttribute('aria-disabled')
  await expectSoundEverywhere()
  await expect.poll(tipOf(button('创建快照'))).toContain('最多保留 3 个快照，请先删除不需要的')
})

test('one is taken under a name, and told when it was submitted', async () => {
  const started: Script = { 'snapshots.take': { data: { jobId: id(90) } } }
  await open(at, { ...having(0, 1), 'snapshots.list': { data: [] }, ...started })
  await pressOn('创建快照')
  await question.getByRole('textbox').fill('  升级之前 ')
  await expectSoundEverywhere()
  await inQuestion('确认创建快照').click()
  await expect.element(notices.getByText(text.submitted)).toBeVisible()
  expect(await callsOf('snapshots.take')).toMatchObject([{ serverId: details().id, name: '升级之前' }])
})

test('a revert says what is lost and waits for the server’s name', async () => {
  await open(at, { ...having(1, 1), 'snapshots.revert': { data: { jobId: id(90) } } })
  await pressOn(`恢复 ${snapshot().name}`)
  await expect.element(question).toMatchTextContent(/此后写入的全部数据都会丢失/)
  await expect.element(inQuestion('确认恢复快照')).toBeDisabled()
  await expectSoundEverywhere()
  await question.getByRole('textbox').fill(order().serverName)
  await inQuestion('确认恢复快照').click()
  await expect.poll(() => callsOf('snapshots.revert')).toMatchObject([{ serverId: details().id, id: snapshot().id }])
})

test('a server in whose name a page shows two blanks as one is taken back by the name as it is seen', async () => {
  const serverName = '数据库  主库（上海）'
  await open(at, {
    ...having(1, 1, { serverName }),
    'orders.get': { data: order({ serverName }) },
    'snapshots.revert': { data: { jobId: id(90) } },
  })
  await pressOn(`恢复 ${snapshot().name}`)
  await question.getByRole('textbox').fill('数据库 主库(上海')
  await expect.element(inQuestion('确认恢复快照')).toBeDisabled()
  await question.getByRole('textbox').fill('数据库 主库(上海)')
  await expect.element(inQuestion('确认恢复快照')).toBeEnabled()
  await inQuestion('确认恢复快照').click()
  await expect.poll(() => callsOf('snapshots.revert')).toHaveLength(1)
})

test('a protected server is not taken back', async () => {
  await open(at, having(1, 2, { protected: true }))
  await expect.element(button(`恢复 ${snapshot().name}`)).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button(`删除 ${snapshot().name}`)).not.toHaveAttribute('aria-disabled')
})

test('of a suspended server they are only read', async () => {
  await open(at, { ...having(1, 2), 'orders.get': { data: order({ status: 'SUSPENDED', suspendReason: 'unpaid' }) } })
  for (const name of [`恢复 ${snapshot().name}`, `删除 ${snapshot().name}`, '创建快照'])
    await expect.element(button(name)).toHaveAttribute('aria-disabled', 'true')
})

test('where none are offered and none are left, nor a disc, there is no such part', async () => {
  const none = { offered: false, inserted: null, bootedAt: null }
  await open(at, { ...having(0, 0, { iso: none }), 'snapshots.list': { data: [] } })
  await expect.element(main().getByRole('heading', { level: 2, name: '服务器配置' })).toBeVisible()
  await expect.element(partLink).not.toBeInTheDocument()
})

test('where none are offered any more those that are left are shown', async () => {
  await open(at, having(1, 0))
  await expect.element(partLink).toHaveAttribute('aria-current', 'page')
})

test('a list that cannot be read says so and is read again', async () => {
  await open(at, { ...having(1, 1), 'snapshots.list': { refused: 'INTERNAL' } })
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载快照失败')
  await answer(having(1, 1))
  await pressOn('重试')
  await expect.element(main().getByText(snapshot().name)).toBeVisible()
})

test('a reinstall says how many go with the disk', async () => {
  await open(consoleAddress, { ...having(2, 2), 'snapshots.list': { data: [snapshot(), snapshot({ id: id(72) })] } })
  await pressOn('重装系统')
  await expect.element(question.getByText('全部 2 个快照')).toBeVisible()
})
