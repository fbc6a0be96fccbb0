/** What is asked before an act, and what an act alone changes: said once, and done by keys. */
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { dialog, field, inDialog, inQuestion, notices, pressOn, question } from './testing/act'
import { consoleAddress, consoleReads } from './testing/customers-acts'
import { answer, callsOf, main, open } from './testing/screen'
import type { Script } from './testing/script'
import { authenticator, details, endedJob, firewall, id, inDays, snapshot } from './testing/things'

const disk = `${consoleAddress}?part=disk`
const kept: Script = { ...consoleReads, 'snapshots.list': { data: [snapshot()] } }
const started = { data: { jobId: id(90) } } as const
/** Of what says by itself that it has changed. */
const statuses = () => [...main().element().querySelectorAll('[role=status]')].map(({ textContent }) => textContent)

describe('a question', () => {
  test('says what it asks without its fields’ words, which say their own', async () => {
    await open(disk, kept)
    await pressOn(`恢复 ${snapshot().name}`)
    await expect.element(question).toHaveAccessibleDescription(expect.stringContaining('磁盘将回到'))
    await expect.element(question).not.toHaveAccessibleDescription(expect.stringContaining('输入服务器名称'))
  })

  test('does not read out what one of its fields offers', async () => {
    const empty = { offered: true, inserted: null, bootedAt: null }
    await open(disk, {
      ...kept,
      'console.details': { data: details({ iso: empty }) },
      'iso.list': { data: [{ id: id(75), name: 'Debian 12 安装光盘' }] },
    })
    await pressOn('插入光盘')
    await expect.element(question.getByLabelText('光盘')).toBeVisible()
    await expect.element(question).toHaveAccessibleDescription(expect.stringContaining('从光盘启动；'))
    await expect.element(question).not.toHaveAccessibleDescription(expect.stringContaining('安装光盘'))
  })

  test('is answered by Enter in what was typed, once that is right', async () => {
    await open(disk, { ...kept, 'snapshots.revert': started, 'jobs.get': { data: endedJob('revert') } })
    await pressOn(`恢复 ${snapshot().name}`)
    await expect.element(question.getByRole('textbox')).toHaveFocus()
    await userEvent.keyboard('x{Enter}')
    await question.getByRole('textbox').fill(details().serverName)
    await userEvent.keyboard('{Enter}')
    await expect.element(notices.getByText('操作已提交')).toBeVisible()
    expect(await callsOf('snapshots.revert')).toHaveLength(1)
  })

  test('is not answered by Enter that is held down since it was opened', async () => {
    await open(disk, { ...kept, 'console.details': { data: details({ snapshots: { used: 1, most: 2 } }) } })
    await pressOn('创建快照')
    const name = question.getByRole('textbox')
    await expect.element(name).toHaveFocus()
    name.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true }))
    await inQuestion('取消').click()
    await expect.element(question).not.toBeInTheDocument()
    expect(await callsOf('snapshots.take')).toEqual([])
  })

  test('is not answered by Enter on a switch', async () => {
    await open(consoleAddress, consoleReads)
    await pressOn('生成密码')
    await pressOn('重置密码')
    const byRestart = question.getByRole('switch')
    byRestart.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(question).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(question).not.toBeInTheDocument()
    expect(await callsOf('console.act')).toEqual([])
  })
})

test('a button that shows a password says by its name alone what it does', async () => {
  await open(consoleAddress, consoleReads)
  await expect.element(main().getByRole('button', { name: '显示密码' }).first()).toBeVisible()
  await main().getByRole('button', { name: '显示密码' }).nth(1).click()
  await expect.element(main().getByRole('button', { name: '隐藏密码' })).not.toHaveAttribute('aria-pressed')
})

describe('a form in a window', () => {
  const off = { 'secondFactor.get': { data: { since: null, recoveryCodesLeft: 0 } } } as const
  const wrong = { refused: 'WRONG_CURRENT_PASSWORD', errors: { currentPassword: '当前密码不正确' } } as const

  test('says once what is wrong with a field, and leads there', async () => {
    await open('/profile?part=second-factor', { ...off, 'secondFactor.prepare': wrong })
    await pressOn('开启两步验证')
    await field('当前密码').fill('wrong')
    await inDialog('下一步').click()
    await expect.element(field('当前密码')).toHaveAccessibleDescription('当前密码不正确')
    await expect.element(field('当前密码')).toHaveFocus()
    expect(dialog.getByText('当前密码不正确').elements()).toHaveLength(1)
  })

  test('that gives recovery codes leads to them, not to what closes them', async () => {
    await open('/profile?part=second-factor', { ...off, 'secondFactor.prepare': { data: authenticator } })
    await pressOn('开启两步验证')
    await field('当前密码').fill('Demo-user-1')
    await userEvent.keyboard('{Enter}')
    await expect.element(field('验证码')).toHaveFocus()
    await answer({
      'secondFactor.get': { data: { since: inDays(0), recoveryCodesLeft: 1 } },
      'secondFactor.enable': { data: { recoveryCodes: ['abcd0-efgh0'] } },
    })
    await userEvent.keyboard('123456{Enter}')
    const codes = dialog.getByRole('group', { name: '恢复码' })
    await expect.element(codes).toHaveFocus()
    await expect.element(codes).toHaveAccessibleDescription(/只显示这一次/)
  })
})

describe('what a press alone changes is said', () => {
  test('a password that is made, behind its dots', async () => {
    await open(consoleAddress, consoleReads)
    await pressOn('生成密码')
    await expect.element(notices.getByText('新密码已生成')).toBeVisible()
    await pressOn('重新生成密码')
    await expect.element(notices.getByText('新root密码已生成')).toBeVisible()
  })

  test('a rule that was moved, added or removed, and that nothing is saved yet', async () => {
    await open(`${consoleAddress}?part=network`, { ...consoleReads, 'firewall.get': { data: firewall() } })
    await expect.element(main().getByRole('list', { name: '防火墙规则' })).toBeVisible()
    await pressOn('下移 第1条 入站 TCP 22')
    await expect.poll(statuses).toContain('第2条 入站 TCP 22，尚未保存')
    await pressOn('删除 第1条 入站 ICMP')
    await expect.poll(statuses).toContain('共 1 条，尚未保存')
    await pressOn('网站服务器')
    await expect.poll(statuses).toContain('共 4 条，尚未保存')
  })
})
