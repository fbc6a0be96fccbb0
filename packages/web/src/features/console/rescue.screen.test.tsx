import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { inQuestion, notices, pressOn, question, readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, callsOf, expectSoundEverywhere, main, open, tipOf } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, endedJob, id, inDays } from '../../testing/things'

const at = `${consoleAddress}?part=security`
const having = (rescue: { offered: boolean; since: string | null }): Script => ({
  ...consoleReads,
  'console.details': { data: details({ rescue }) },
  'jobs.get': { data: endedJob('enterRescue') },
})
const outside = having({ offered: true, since: null })
const inside = having({ offered: true, since: inDays(-1) })
const state = () => page.getByRole('region', { name: '救援模式' })

test('it is entered after a question that says what ends and what stays', async () => {
  await open(at, { ...outside, 'rescue.enter': { data: { jobId: id(90) } } })
  await expect.element(main().getByRole('button', { name: '进入救援模式' })).toBeVisible()
  await expectSoundEverywhere()
  await pressOn('进入救援模式')
  await expect.element(question).toMatchTextContent(/服务中断，直到退出救援模式.*本页顶部。原磁盘的内容不会改动/)
  await expectSoundEverywhere()
  await inQuestion('确认进入救援模式').click()
  await expect.element(notices.getByText(text.submitted)).toBeVisible()
  expect(await callsOf('rescue.enter')).toMatchObject([{ serverId: details().id }])
})

test('in a window too low for the question, what it was refused for is seen at once', async () => {
  await open(at, { ...outside, 'rescue.enter': { refused: 'CONFLICT' } })
  await page.viewport(390, 420)
  await pressOn('进入救援模式')
  await inQuestion('确认进入救援模式').click()
  await expect.element(question.getByRole('alert')).toBeInViewport({ ratio: 0.9 })
})

test('while in it every part says so, with the ways in and the password only when asked', async () => {
  await open(consoleAddress, { ...inside, 'rescue.password': { data: { password: 'Einmal-7x' } } })
  await expect.element(state().getByText(/^自 .* 起。运行的是救援系统/)).toBeVisible()
  await expect.element(state().getByText('/dev/disk/by-id/virtio-system')).toBeVisible()
  await expect.element(state().getByText(/^ssh .*root@/)).toBeVisible()
  await expectSoundEverywhere()
  expect(await callsOf('rescue.password')).toEqual([])
  const field = state().getByRole('textbox', { name: /救援密码/ })
  await state().getByRole('button', { name: '显示密码' }).click()
  await expect.element(field).toHaveValue('Einmal-7x')
  await state().getByRole('button', { name: '隐藏密码' }).click()
  await expect.element(field).toHaveValue('************')
})

test('who asks for the password by the keyboard stays at its button until it is told', async () => {
  await open(consoleAddress, { ...inside, 'rescue.password': 'no answer' })
  const show = state().getByRole('button', { name: '显示密码' })
  await expect.element(show).toBeVisible()
  show.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => callsOf('rescue.password')).toHaveLength(1)
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  await expect.element(show).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(await callsOf('rescue.password')).toHaveLength(1)
})

test('a password that cannot be read says why', async () => {
  await open(consoleAddress, { ...inside, 'rescue.password': 'lost' })
  await state().getByRole('button', { name: '显示密码' }).click()
  await expect.element(notices.getByText(/./).first()).toBeVisible()
})

test('meanwhile what changes the machine’s own system is off, with the reason', async () => {
  await open(consoleAddress, inside)
  await expect.element(state()).toBeVisible()
  const reset = main().getByRole('button', { name: '重置密码' })
  await expect.element(reset).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(tipOf(reset)).toContain('服务器处于救援模式，请先退出救援模式')
})

test('left after a question, it is told no more', async () => {
  await open(consoleAddress, { ...inside, 'rescue.leave': { data: { jobId: id(90) } } })
  await pressOn('退出救援模式')
  await expect.element(question).toMatchTextContent(/从原磁盘启动.*会删除，请先卸载/)
  await expectSoundEverywhere()
  await answer({ ...outside, 'rescue.leave': { data: { jobId: id(90) } } })
  await inQuestion('确认退出救援模式').click()
  await expect.element(state()).not.toBeInTheDocument()
  expect(await callsOf('rescue.leave')).toMatchObject([{ serverId: details().id }])
})

test('where it is not offered nothing speaks of it', async () => {
  await open(at, having({ offered: false, since: null }))
  await expect.element(main().getByText('防误操作')).toBeVisible()
  expect(main().getByText('救援模式').elements()).toEqual([])
})

test('left while the answer is lost, its question stays and is asked again', async () => {
  await open(consoleAddress, { ...inside, 'rescue.leave': 'lost' })
  await pressOn('退出救援模式')
  await inQuestion('确认退出救援模式').click()
  await expect.element(inQuestion(text.askAgain)).toBeVisible()
  await answer({ ...outside, 'rescue.leave': { data: { jobId: id(90) } } })
  readAgain()
  await expect.element(state()).not.toBeInTheDocument()
  await inQuestion(text.askAgain).click()
  await expect.element(question).not.toBeInTheDocument()
})

test('so does the question of one that is entered by then', async () => {
  await open(at, { ...outside, 'rescue.enter': 'lost' })
  await pressOn('进入救援模式')
  await inQuestion('确认进入救援模式').click()
  await expect.element(inQuestion(text.askAgain)).toBeVisible()
  await answer({ ...inside, 'rescue.enter': { data: { jobId: id(90) } } })
  readAgain()
  await expect.element(page.getByText(/^自 .* 起。运行的是救援系统/)).toBeInTheDocument()
  await inQuestion(text.askAgain).click()
  await expect.element(question).not.toBeInTheDocument()
})
