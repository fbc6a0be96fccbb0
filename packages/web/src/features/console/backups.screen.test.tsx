import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field, inDialog, inQuestion, notices, pressOn, question, readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, callsOf, expectSoundEverywhere, main, open, tipOf } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { backup, backups, details, elsewhere, endedJob, id, inDays, offer, order } from '../../testing/things'

const at = `${consoleAddress}?part=disk`
const serverId = details().id
const having = (view: Parameters<typeof backups>[0] = {}, change: Parameters<typeof details>[0] = {}): Script => ({
  ...consoleReads,
  'snapshots.list': { data: [] },
  'orders.get': { data: order({ backups: 3 }) },
  'console.details': { data: details(change) },
  'backups.list': { data: backups(view) },
  'jobs.get': { data: endedJob('backup') },
})
const none = { used: 0, isScheduled: false, schedule: null, backups: [] }
const button = (name: string | RegExp) => main().getByRole('button', { name, exact: true })

test('without any, it says what they are for and that none is made by itself', async () => {
  await open(at, having(none))
  await expect.element(main().getByText('还没有备份')).toBeVisible()
  await expect.element(main().getByText('没有设置定时备份')).toBeVisible()
  await expect.element(main().getByText('已用 0 / 3 个', { exact: true })).toBeVisible()
  await expectSoundEverywhere()
})

test('where none was bought, it says what they are for, and leads to where they are', async () => {
  const unbought = {
    ...having(),
    'orders.get': { data: order({ backups: 0 }) },
    'wallet.get': { data: { balance: 100, updatedAt: inDays(0) } },
  }
  const sold: Script = {
    ...unbought,
    'shop.priceGroups': { data: [offer({ mostBackups: 7, locked: true })] },
  }
  await open(at, sold)
  await expect.element(main().getByText('没有购买备份')).toBeVisible()
  await expectSoundEverywhere()
  await button('购买备份').click()
  await expect.element(dialog.getByRole('slider', { name: '备份数量' })).toHaveFocus()
  await expect.element(dialog.getByText('该套餐为固定配置，可以增加备份，不需要重启。')).toBeVisible()
  await expect.element(dialog.getByRole('slider', { name: 'CPU' })).not.toBeInTheDocument()
  await inDialog('取消').click()
  await expect.element(button('购买备份')).toHaveFocus()
})

test('each is named with its moment and where it comes from; only a whole one is a way back', async () => {
  const all = [
    backup({ id: id(85), state: 'RUNNING', percentage: 37, takenAt: null, addedBytes: null, createdAt: inDays(0) }),
    backup({ id: id(84), state: 'QUEUED', origin: 'MANUAL', takenAt: null, addedBytes: null }),
    backup({ id: id(83), state: 'FAILED', takenAt: null, addedBytes: null, error: '备份存储无法连接' }),
    backup({ id: id(82), state: 'DELETING', takenAt: inDays(-3) }),
    backup({ takenAt: inDays(-2) }),
  ]
  await open(at, having({ used: 3, backups: all }))
  await expect.element(main().getByText('正在备份 37%')).toBeVisible()
  await expect.element(main().getByText('等待备份')).toBeVisible()
  await expect.element(main().getByText('备份存储无法连接')).toBeVisible()
  await expect.element(main().getByText('定时备份 · Debian 12 · 40 GB · 新增 812 MB').first()).toBeVisible()
  await expect.element(main().getByText(/^每天 03:00 至 04:00 备份$/)).toBeVisible()
  const restores = main().getByRole('button', { name: /^恢复 .* 的备份$/ })
  for (const n of [0, 1, 2, 3]) await expect.element(restores.nth(n)).toHaveAttribute('aria-disabled', 'true')
  await expect.element(restores.nth(4)).not.toHaveAttribute('aria-disabled')
  await expectSoundEverywhere()
  await expect.poll(tipOf(button('创建备份'))).toContain('备份正在进行')
})

test('one is made by hand, and told when it was submitted', async () => {
  await open(at, { ...having(), 'backups.create': { data: { jobId: id(90) } } })
  await pressOn('创建备份')
  await expectSoundEverywhere()
  await inQuestion('确认创建备份').click()
  await expect.element(notices.getByText(text.submitted)).toBeVisible()
  expect(await callsOf('backups.create')).toMatchObject([{ serverId }])
})

test('a full count says which to delete, and a schedule keeps its place', async () => {
  await open(at, having({ used: 3, backups: [backup()] }))
  await expect.poll(tipOf(button('创建备份'))).toContain('最多保留 3 个备份，请先删除不需要的')
  await answer(having({ used: 2, manual: 2 }))
  await main().getByRole('button', { name: '设置定时备份' }).click()
  await inDialog('取消').click()
})

test('a restore says what is lost and waits for the server’s name', async () => {
  await open(at, { ...having(), 'backups.restore': { data: { jobId: id(90) } } })
  await button(/^恢复 .* 的备份$/).click()
  await expect.element(question).toMatchTextContent(/此后写入的全部数据和全部快照都会丢失，无法找回/)
  await expect.element(inQuestion('确认恢复备份')).toBeDisabled()
  await expectSoundEverywhere()
  await question.getByRole('textbox').fill(order().serverName)
  await inQuestion('确认恢复备份').click()
  await expect.poll(() => callsOf('backups.restore')).toMatchObject([{ serverId, id: backup().id }])
})

test('one is deleted, and the machine’s disk is said to stay', async () => {
  await open(at, { ...having(), 'backups.remove': { data: null } })
  await button(/^删除 .* 的备份$/).click()
  await expect.element(question).toMatchTextContent(/磁盘现在的内容不受影响/)
  await answer({ ...having(none), 'backups.remove': { data: null } })
  await inQuestion('确认删除').click()
  await expect.element(main().getByText('还没有备份')).toBeVisible()
  expect(await callsOf('backups.remove')).toMatchObject([{ serverId, id: backup().id }])
})

test('a protected server is not taken back', async () => {
  await open(at, having({}, { protected: true }))
  await expect.element(button(/^恢复 .* 的备份$/)).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button('创建备份')).not.toHaveAttribute('aria-disabled')
})

test('one in its rescue system is not taken back', async () => {
  await open(at, having({}, { rescue: { offered: true, since: inDays(-1) } }))
  await expect.element(button(/^恢复 .* 的备份$/)).toHaveAttribute('aria-disabled', 'true')
})

test('a schedule is set by the week, and switched off', async () => {
  await open(at, { ...having(), 'backups.setSchedule': { data: null } })
  await pressOn('设置定时备份')
  await field('频率').selectOptions('每周')
  await field('星期').selectOptions('周三')
  await field('时段').selectOptions('04:00 至 05:00')
  await expectSoundEverywhere()
  await inDialog('保存').click()
  await expect.element(notices.getByText('定时备份已设置')).toBeVisible()
  await pressOn('设置定时备份')
  await field('频率').selectOptions('不自动备份')
  await inDialog('保存').click()
  await expect.element(notices.getByText('已关闭定时备份')).toBeVisible()
  expect(await callsOf('backups.setSchedule')).toEqual([
    { serverId, schedule: { frequency: 'weekly', hour: 4, weekday: 3 } },
    { serverId, schedule: { frequency: 'off' } },
  ])
})

test('where those by hand take all places, a schedule can only be switched off', async () => {
  await open(at, having({ used: 3, manual: 3, isScheduled: false, schedule: null }))
  await pressOn('设置定时备份')
  await expect.element(dialog.getByText('手动备份已占满全部位置，请先删除一个')).toBeVisible()
  await expect.element(inDialog('保存')).toBeDisabled()
  await expectSoundEverywhere()
  await field('频率').selectOptions('不自动备份')
  await expect.element(inDialog('保存')).not.toBeDisabled()
})

test('where the operator keeps none, none can be asked for, and what is kept can be brought back', async () => {
  await open(at, having({ isStored: false }))
  await expect.element(main().getByText(text.noBackupStorage)).toBeVisible()
  expect(
    main()
      .getByText(/^下一次在/)
      .elements(),
  ).toEqual([])
  await expect.poll(tipOf(button('创建备份'))).toContain(text.noBackupStorage)
  await expect.element(button(/^恢复 .* 的备份$/)).not.toHaveAttribute('aria-disabled')
})

test('without snapshots, backups alone have their part; without either there is none', async () => {
  await open(at, having({}, { snapshots: { used: 0, most: 0 } }))
  await expect.element(main().getByRole('heading', { name: '备份' })).toBeVisible()
  await expect.element(main().getByRole('heading', { name: '快照' })).not.toBeInTheDocument()
})

test('more than were bought are those of before a loss, and it says how long they stay', async () => {
  await open(at, having({ used: 4 }))
  await expect.element(main().getByText('已用 4 / 3 个', { exact: true })).toBeVisible()
  await expect.element(main().getByText(/^宿主机损坏之前的备份不会被替换/)).toBeVisible()
})

const nothingSold = {
  snapshots: { used: 0, most: 0 },
  iso: { offered: false, inserted: null, bootedAt: null },
} as const

test('where none was bought, what a migration left can be brought back all the same', async () => {
  await open(at, {
    ...having(
      { most: 0, manual: 1, isScheduled: false, schedule: null },
      { ...nothingSold, keptBackups: { own: true, elsewhere: false } },
    ),
    'orders.get': { data: order({ backups: 0 }) },
  })
  await expect.element(main().getByRole('heading', { name: '备份' })).toBeVisible()
  await expect.element(button(/^恢复 .* 的备份$/)).not.toHaveAttribute('aria-disabled')
  await expect.poll(tipOf(button('创建备份'))).toContain('该服务器没有购买备份')
})

const others: Script = {
  'backups.elsewhere': {
    data: [
      elsewhere(),
      elsewhere({
        id: id(88),
        serverName: '大服务器',
        diskGb: 400,
        reason: '这台服务器的磁盘小于备份的 400 GB，请先升级配置',
      }),
    ],
  },
}

test('what is kept of other servers is reached also where this one has neither snapshots, backups nor discs', async () => {
  await open(at, {
    ...having({}, { ...nothingSold, keptBackups: { own: false, elsewhere: true } }),
    'orders.get': { data: order({ backups: 0 }) },
    ...others,
  })
  await expect.element(button(/^恢复到这台服务器 旧服务器/)).not.toHaveAttribute('aria-disabled')
})

test('what is kept of other servers is brought back over this one after a warning, where its disk is large enough', async () => {
  await open(at, { ...having(), ...others, 'backups.restore': { data: { jobId: id(90) } } })
  await expect.element(main().getByRole('heading', { name: '其他服务器的备份' })).toBeVisible()
  await expectSoundEverywhere()
  await expect.element(button(/^恢复到这台服务器 大服务器/)).toHaveAttribute('aria-disabled', 'true')
  await button(/^恢复到这台服务器 旧服务器/).click()
  await expect.element(question).toMatchTextContent(/这台服务器的全部数据和快照都会丢失，无法找回/)
  await expectSoundEverywhere()
  await question.getByRole('textbox').fill(order().serverName)
  await inQuestion('确认恢复到这台服务器').click()
  await expect.poll(() => callsOf('backups.restore')).toMatchObject([{ serverId, id: elsewhere().id }])
})

test('the question stays where the last backup of another server is gone by then, and says what it is refused for', async () => {
  await open(at, { ...having(), ...others, 'backups.restore': { refused: 'NOT_FOUND' } })
  await button(/^恢复到这台服务器 旧服务器/).click()
  await question.getByRole('textbox').fill(order().serverName)
  await answer({ ...having(), 'backups.restore': { refused: 'NOT_FOUND' } })
  readAgain()
  await expect
    .element(page.getByRole('heading', { name: '其他服务器的备份', includeHidden: true }))
    .not.toBeInTheDocument()
  await inQuestion('确认恢复到这台服务器').click()
  await expect.element(question.getByText('操作失败: 记录不存在')).toBeVisible()
})

test('a server whose owner has no other backups is not told of any', async () => {
  await open(at, having())
  await expect.element(main().getByText('可恢复', { exact: true })).toBeVisible()
  await expect.element(main().getByRole('heading', { name: '其他服务器的备份' })).not.toBeInTheDocument()
})

test('where those of others cannot be read it is said beside its own', async () => {
  await open(at, { ...having(), 'backups.elsewhere': { refused: 'NOT_FOUND' } })
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载其他服务器的备份失败')
  await expect.element(main().getByText('可恢复', { exact: true })).toBeVisible()
})

test('a list that cannot be read says so and is read again', async () => {
  await open(at, { ...having(), 'backups.list': { refused: 'NOT_FOUND' } })
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载备份失败')
  await answer(having())
  await pressOn('重试')
  await expect.element(main().getByText('可恢复', { exact: true })).toBeVisible()
})
