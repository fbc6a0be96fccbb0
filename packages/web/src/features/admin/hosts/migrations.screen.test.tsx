import { migratingNow } from '@vps/shared/cold-migrations'
import { describe, expect, test } from 'vitest'
import { field, inQuestion, notices, pressOn, question } from '../../../testing/act'
import { host, hostAddress, hostReads, migratable, migration, otherHost } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, main, open, tipOf } from '../../../testing/screen'
import type { Script } from '../../../testing/script'
import { id, inDays } from '../../../testing/things'

const at = `${hostAddress}?part=migrations`
const listing = (...servers: ReturnType<typeof migratable>[]): Script => ({
  ...hostReads,
  'migrations.list': { data: servers },
  'migrations.hosts': { data: [otherHost, { id: id(53), name: 'hk-3' }] },
})
const snapshots = '快照不能随迁移带走，请先删除'
const table = () => main().getByRole('table', { name: '迁移' })
const row = (name: string) => table().getByRole('row').filter({ hasText: name })
const button = (name: string) => main().getByRole('button', { name, exact: true })
const itemOf = (name: string) => question.getByRole('listitem').filter({ hasText: name })
const noRoom = {
  refused: 'NO_STOCK',
  message: '没有其他宿主机有足够的资源和它的系统所需的固件，并能使用它现有的地址',
} as const

describe('the migrations of a host', () => {
  test('list its servers with disk and owner, and why one stays', async () => {
    await open(at, listing(migratable(1), migratable(2, { stays: snapshots })), 'admin')
    await expect.element(row('香港-1')).toMatchTextContent('203.0.113.1')
    await expect.element(row('香港-1')).toMatchTextContent('40 GB')
    await expect.element(table().getByRole('link', { name: 'demo' }).first()).toHaveAttribute('href', `/users/${id(2)}`)
    await expect.element(button('迁移 香港-1')).not.toHaveAttribute('aria-disabled')
    await expect.element(row('香港-2')).toMatchTextContent(snapshots)
    expect(await callsOf('migrations.list')).toEqual([{ hostId: host.id }])
    await expectSoundEverywhere()
    await expect.poll(tipOf(button('迁移 香港-2'))).toBe(snapshots)
  })

  test.each([
    ['WAITING', 0, '排队中'],
    ['STOPPING', 0, '正在关机'],
    ['SAVING', 42, '正在保存磁盘 42%'],
    ['RESTORING', 7, '正在恢复 7%'],
    ['RETURNING', 0, '正在退回'],
  ] as const)('tell of one in stage %s how far it is, where it goes and who asked', async (stage, percentage, said) => {
    const reason = stage === 'RETURNING' ? '空间不足' : null
    const going = migration({ stage, percentage, reason })
    const isHere = stage !== 'RESTORING'
    await open(at, listing(migratable(1, { isHere, stays: migratingNow, migration: going })), 'admin')
    await expect.element(row('香港-1')).toMatchTextContent(said)
    await expect.element(row('香港-1')).toMatchTextContent('→ hk-2')
    await expect.element(row('香港-1')).toMatchTextContent('boss · 20')
    await expect.element(table().getByRole('link', { name: 'hk-2' })).toHaveAttribute('href', `/hosts/${otherHost.id}`)
    const cancel = button('取消迁移 香港-1')
    if (stage === 'RETURNING') await expect.element(cancel).toHaveAttribute('aria-disabled', 'true')
    else await expect.element(cancel).not.toHaveAttribute('aria-disabled')
    await expect.element(main().getByText(stage === 'WAITING' ? '1 台排队' : '1 台正在迁移')).toBeVisible()
    if (reason) await expect.element(row('香港-1')).toMatchTextContent(/空间不足.*等待清理 hk-2 上的副本/)
    await expectSoundEverywhere()
  })

  test('tell what has come, and why one has not left, which may be asked for again', async () => {
    const come = migration({ stage: 'DONE', from: otherHost, to: { id: host.id, name: host.name }, endedAt: inDays(0) })
    const failed = migration({ stage: 'FAILED', reason: '关机超时', percentage: 30, endedAt: inDays(0) })
    const servers = [migratable(1, { migration: come }), migratable(2, { migration: failed })]
    await open(at, listing(...servers), 'admin')
    await expect.element(row('香港-1')).toMatchTextContent('完成来自 hk-2')
    await expect.element(row('香港-2')).toMatchTextContent('失败 → hk-2关机超时')
    await expect.element(main().getByText('1 台迁移未成功')).toBeVisible()
    await expect.element(button('迁移 香港-2')).not.toHaveAttribute('aria-disabled')
    await expectSoundEverywhere()
  })

  test('tell of one that was called off that it was, not that it failed', async () => {
    const ended = { stage: 'FAILED', to: null, endedAt: inDays(0) } as const
    const off = migratable(1, { migration: migration({ ...ended, reason: '管理员取消' }) })
    const failed = migratable(2, { migration: migration({ ...ended, reason: '关机超时' }) })
    await open(at, listing(off, failed), 'admin')
    await expect.element(row('香港-2')).toMatchTextContent('失败 → 自动选择关机超时')
    await expect.element(row('香港-1')).toMatchTextContent('已取消 → 自动选择管理员取消')
    await expect.element(main().getByText('1 台迁移未成功')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('say what could not be read, and that none is there', async () => {
    await open(at, { ...hostReads, 'migrations.list': { refused: 'INTERNAL' } }, 'admin')
    await expect.element(main().getByText('加载迁移失败')).toBeVisible()
    await answer(listing())
    await pressOn('重试')
    await expect.element(main().getByText('这台宿主机上没有服务器')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('keep their form while they are read', async () => {
    await open(at, { ...hostReads, 'migrations.list': 'no answer' }, 'admin')
    await expect.element(table()).toHaveAttribute('aria-busy', 'true')
    await expect.element(button('全部迁移')).not.toBeInTheDocument()
  })
})

describe('one that was asked for', () => {
  test('tells while it waits that its host is not chosen yet', async () => {
    const waiting = migration({ stage: 'WAITING', to: null })
    await open(at, listing(migratable(1, { stays: '已在等待迁移', migration: waiting })), 'admin')
    await expect.element(row('香港-1')).toMatchTextContent('排队中 → 自动选择')
  })

  test.each([
    ['WAITING', '服务器照常运行'],
    ['SAVING', '服务器回到原宿主机恢复运行'],
  ] as const)('can be called off in stage %s, and is told what that means', async (stage, meaning) => {
    const asked = migratable(1, { stays: migratingNow, migration: migration({ stage }) })
    await open(at, { ...listing(asked), 'migrations.cancel': { data: null } }, 'admin')
    await pressOn('取消迁移 香港-1')
    await expect.element(question).toMatchTextContent(meaning)
    await expectSoundEverywhere()
    await inQuestion('确认取消迁移').click()
    await expect.element(notices.getByText('已请求取消迁移：香港-1')).toBeVisible()
    expect(await callsOf('migrations.cancel')).toMatchObject([{ id: asked.serverId }])
  })
})

test('what waits is called off all together, each under a key of its own', async () => {
  const waiting = [1, 2].map((n) =>
    migratable(n, { stays: '已在等待迁移', migration: migration({ stage: 'WAITING', to: null }) }),
  )
  const begun = migratable(3, { stays: migratingNow, migration: migration() })
  await open(at, { ...listing(...waiting, begun), 'migrations.cancel': { data: null } }, 'admin')
  await pressOn('取消排队')
  expect(itemOf('香港-3').elements()).toEqual([])
  await expectSoundEverywhere()
  await inQuestion('确认取消排队').click()
  await expect.element(itemOf('香港-2')).toMatchTextContent('已取消')
  const sent = (await callsOf('migrations.cancel')) as { id: string; idempotencyKey: string }[]
  expect(sent.map((one) => one.id)).toEqual(waiting.map(({ serverId }) => serverId))
  expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
})

describe('one server', () => {
  test('goes to the best host where none is chosen, and is told to have begun', async () => {
    await open(at, { ...listing(migratable(1)), 'migrations.start': { data: { id: id(601) } } }, 'admin')
    await pressOn('迁移 香港-1')
    await expect.element(question).toMatchTextContent('才删除原来的')
    await expect.element(field('目标宿主机')).toHaveValue('best')
    await expectSoundEverywhere()
    await answer({
      ...listing(migratable(1, { stays: migratingNow, migration: migration() })),
      'migrations.start': { data: { id: id(601) } },
    })
    await inQuestion('确认迁移').click()
    await expect.element(notices.getByText('已提交迁移：香港-1')).toBeVisible()
    await expect.element(row('香港-1')).toMatchTextContent('正在关机')
    expect(await callsOf('migrations.start')).toMatchObject([{ serverId: migratable(1).serverId, hostId: null }])
  })

  test('goes where its operator chose; a refusal is told there, and the hosts are read anew', async () => {
    await open(at, { ...listing(migratable(1)), 'migrations.start': [noRoom, { data: { id: id(601) } }] }, 'admin')
    await pressOn('迁移 香港-1')
    await field('目标宿主机').selectOptions('hk-3')
    await inQuestion('确认迁移').click()
    await expect.element(question).toMatchTextContent(noRoom.message)
    await expect.poll(() => callsOf('migrations.hosts')).toHaveLength(2)
    await expect.element(field('目标宿主机')).toHaveValue(id(53))
    await expectSoundEverywhere()
    await inQuestion('确认迁移').click()
    await expect.element(question).not.toBeInTheDocument()
    const sent = (await callsOf('migrations.start')) as { hostId: string; idempotencyKey: string }[]
    expect(sent.map(({ hostId }) => hostId)).toEqual([id(53), id(53)])
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
  })

  test('stays where no host can take it, and that is said before it is asked for', async () => {
    await open(at, { ...listing(migratable(1)), 'migrations.hosts': { data: [] } }, 'admin')
    await pressOn('迁移 香港-1')
    await expect.element(question).toMatchTextContent(noRoom.message)
    await expect.element(inQuestion('确认迁移')).toBeDisabled()
    await expectSoundEverywhere()
  })

  test('waits until the hosts could be read', async () => {
    await open(at, { ...listing(migratable(1)), 'migrations.hosts': { refused: 'INTERNAL' } }, 'admin')
    await pressOn('迁移 香港-1')
    await expect.element(question).toMatchTextContent('加载目标宿主机失败')
    await expect.element(inQuestion('确认迁移')).toBeDisabled()
    await answer(listing(migratable(1)))
    await inQuestion('重试').click()
    await expect.element(field('目标宿主机')).toHaveValue('best')
    await expect.element(inQuestion('确认迁移')).toBeEnabled()
  })
})

describe('all servers of a host', () => {
  const servers = [
    migratable(1),
    migratable(2),
    migratable(3, { stays: snapshots }),
    migratable(4, { stays: migratingNow, migration: migration() }),
  ]

  test('go one after another, each under a key of its own; what is refused is told and stays', async () => {
    await open(at, { ...listing(...servers), 'migrations.start': [{ data: { id: id(601) } }, noRoom] }, 'admin')
    await pressOn('全部迁移')
    await expect.element(itemOf('香港-1')).toMatchTextContent('40 GB')
    await expect.element(itemOf('香港-3')).toMatchTextContent(`${snapshots}跳过`)
    expect(itemOf('香港-4').elements()).toEqual([])
    await expectSoundEverywhere()
    await answer({
      ...listing(migratable(1, { stays: migratingNow, migration: migration() }), ...servers.slice(1)),
      'migrations.start': [{ data: { id: id(601) } }, noRoom],
    })
    await inQuestion('确认迁移').click()
    await expect.element(itemOf('香港-1')).toMatchTextContent('已提交迁移')
    await expect.element(itemOf('香港-2')).toMatchTextContent(noRoom.message)
    await expect.element(question).toMatchTextContent('1 台成功，1 台未完成')
    const sent = (await callsOf('migrations.start')) as { serverId: string; hostId: null; idempotencyKey: string }[]
    expect(sent.map(({ serverId, hostId }) => [serverId, hostId])).toEqual([
      [servers[0]!.serverId, null],
      [servers[1]!.serverId, null],
    ])
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
    await expectSoundEverywhere()
  })

  test('are asked for again under the same key after a lost answer', async () => {
    await open(at, { ...listing(migratable(1), migratable(2)), 'migrations.start': ['lost', noRoom] }, 'admin')
    await pressOn('全部迁移')
    await inQuestion('确认迁移').click()
    await expect.element(question).toMatchTextContent('2 台未完成')
    const [first, again, next] = (await callsOf('migrations.start')) as { idempotencyKey: string }[]
    expect(again).toEqual(first)
    expect(next?.idempotencyKey).not.toBe(first?.idempotencyKey)
  })

  test('are offered to none where none can go, with the reason', async () => {
    const reason = '迁移经由备份存储，请先在设置中填写'
    await open(at, listing(migratable(1, { stays: reason }), migratable(2, { stays: reason })), 'admin')
    await expect.poll(tipOf(button('全部迁移'))).toBe(reason)
  })
})
