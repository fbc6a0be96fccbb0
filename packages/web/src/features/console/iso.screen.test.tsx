import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { inQuestion, notices, pressOn, question, readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, callsOf, expectSoundEverywhere, main, open, tipOf } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, endedJob, id, insertedIso } from '../../testing/things'

const at = `${consoleAddress}?part=disk`
const empty = { offered: true, inserted: null, bootedAt: null }
const having = (change: Parameters<typeof details>[0]): Script => ({
  ...consoleReads,
  'snapshots.list': { data: [] },
  'console.details': { data: details(change) },
  'jobs.get': { data: endedJob('insertIso') },
})
const discs: Script = {
  'iso.list': {
    data: [
      { id: id(75), name: 'Debian 12 安装光盘' },
      { id: id(76), name: 'SystemRescue 11' },
    ],
  },
}
const started: Script = { 'iso.insert': { data: { jobId: id(90) } } }
const state = () => page.getByRole('region', { name: '光驱' })

test('a disc is chosen, and booted after a warning that the server restarts and the login may change', async () => {
  await open(at, { ...having({ iso: empty }), ...discs, ...started })
  await expect.element(main().getByRole('button', { name: '插入光盘' })).toBeVisible()
  await expectSoundEverywhere()
  await pressOn('插入光盘')
  await expect.element(question).toMatchTextContent(/没有响应时直接断电.*密码和 SSH 端口由您自己设置/)
  await expect.element(inQuestion('插入并重启')).toBeDisabled()
  await question.getByLabelText('光盘').selectOptions('SystemRescue 11')
  await expectSoundEverywhere()
  await inQuestion('插入并重启').click()
  await expect.element(notices.getByText(text.submitted)).toBeVisible()
  expect(await callsOf('iso.insert')).toMatchObject([{ serverId: details().id, imageId: id(76), boots: true }])
})

test('the drive is reached also where neither snapshots nor backups are offered', async () => {
  await open(at, { ...having({ iso: empty, snapshots: { used: 0, most: 0 } }), ...discs })
  await pressOn('插入光盘')
  await expect.element(question.getByLabelText('光盘')).toBeVisible()
})

test('one that is only put in restarts nothing, and says how it is read', async () => {
  await open(at, { ...having({ iso: empty }), ...discs, ...started })
  await pressOn('插入光盘')
  await question.getByLabelText('光盘').selectOptions('Debian 12 安装光盘')
  await question.getByLabelText('使用方式').selectOptions('只插入光驱，服务器不重启')
  await expect.element(question).toMatchTextContent(/需要自行挂载.*重启仍从磁盘启动/)
  await expectSoundEverywhere()
  await inQuestion('确认插入光盘').click()
  await expect.element(notices.getByText(text.submitted)).toBeVisible()
  expect(await callsOf('iso.insert')).toMatchObject([{ imageId: id(75), boots: false }])
})

test('discs that cannot be read say so, and are read again', async () => {
  await open(at, { ...having({ iso: empty }), 'iso.list': 'lost' })
  await pressOn('插入光盘')
  await expect.element(question.getByText('加载光盘失败')).toBeVisible()
  await answer({ ...having({ iso: empty }), ...discs })
  await question.getByRole('button', { name: '重试' }).click()
  await expect.element(question.getByLabelText('光盘')).toBeVisible()
})

test('while it is in every part says so: which, until when, what a restart does, with the screen at hand', async () => {
  await open(consoleAddress, having({ iso: insertedIso }))
  await expect.element(state().getByText('光驱中有光盘：Debian 12 安装光盘')).toBeVisible()
  await expect.element(state().getByText(/自动弹出$/)).toBeVisible()
  await expect.element(state().getByText(/每次重启都先从光盘启动/)).toBeVisible()
  await expect.element(state().getByRole('button', { name: '远程连接' })).toBeVisible()
  await expectSoundEverywhere()
  await answer(having({ iso: { ...insertedIso, inserted: { ...insertedIso.inserted!, boots: false } } }))
  await pressOn('刷新数据')
  await expect.element(state().getByText(/重启仍从磁盘启动/)).toBeVisible()
})

test('meanwhile a new password is off, with the reason, and the card offers no second disc', async () => {
  await open(consoleAddress, having({ iso: insertedIso }))
  const reset = main().getByRole('button', { name: '重置密码' })
  await expect.element(reset).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(tipOf(reset)).toContain('光驱中有光盘，请先弹出光盘')
  expect(main().getByRole('button', { name: '插入光盘' }).elements()).toEqual([])
})

test('taken out after a question, it is told no more; that the login may be another stays', async () => {
  const ejected: Script = { 'iso.eject': { data: { jobId: id(90) } } }
  await open(consoleAddress, { ...having({ iso: insertedIso }), ...ejected })
  await pressOn('弹出光盘')
  await expect.element(question).toMatchTextContent(/不会重启.*完成安装。之后重启即从磁盘启动/)
  await expectSoundEverywhere()
  await answer({ ...having({ iso: { ...empty, bootedAt: insertedIso.bootedAt } }), ...ejected })
  await inQuestion('确认弹出光盘').click()
  await expect.element(state()).not.toBeInTheDocument()
  await expect.element(main().getByText(/曾于 .* 从光盘启动/)).toBeVisible()
  await expectSoundEverywhere()
  expect(await callsOf('iso.eject')).toMatchObject([{ serverId: details().id }])
})

test('where none is offered nothing speaks of it; in rescue it is off, with the reason', async () => {
  await open(at, having({ iso: { ...empty, offered: false } }))
  await expect.element(main().getByText('还没有快照')).toBeVisible()
  expect(main().getByText('光驱').elements()).toEqual([])
  await answer(having({ iso: empty, rescue: { offered: true, since: new Date().toISOString() } }))
  await pressOn('刷新数据')
  const insert = main().getByRole('button', { name: '插入光盘' })
  await expect.element(insert).toHaveAttribute('aria-disabled', 'true')
})

// The question went with the disc it asked about, and the lost answer was told as a failure beside the success.
test('a disc that is out while the answer is lost leaves its question, which is asked again under its key', async () => {
  const inside = having({ iso: insertedIso })
  await open(consoleAddress, { ...inside, 'iso.eject': 'lost' })
  await pressOn('弹出光盘')
  await inQuestion('确认弹出光盘').click()
  await expect.element(inQuestion(text.askAgain)).toBeVisible()
  await answer({ ...having({ iso: empty }), 'iso.eject': { data: { jobId: id(90) } } })
  readAgain()
  await expect.element(state()).not.toBeInTheDocument()
  await inQuestion(text.askAgain).click()
  await expect.element(question).not.toBeInTheDocument()
  expect(notices.getByText(/操作失败/).elements()).toEqual([])
})

test('so does one that is in by then', async () => {
  await open(at, { ...having({ iso: empty }), ...discs, 'iso.insert': 'lost' })
  await pressOn('插入光盘')
  await question.getByLabelText('光盘').selectOptions('SystemRescue 11')
  await inQuestion('插入并重启').click()
  await expect.element(inQuestion(text.askAgain)).toBeVisible()
  await answer({ ...having({ iso: insertedIso }), ...discs, ...started })
  readAgain()
  await expect.element(page.getByText(/^光驱中有光盘/)).toBeInTheDocument()
  await inQuestion(text.askAgain).click()
  await expect.element(question).not.toBeInTheDocument()
})
