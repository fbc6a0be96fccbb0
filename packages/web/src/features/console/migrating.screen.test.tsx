import { migratingNow } from '@vps/shared/cold-migrations'
import { expect, test } from 'vitest'
import { notices, pressOn } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, callsOf, expectSoundEverywhere, main, open, tipOf } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { backup, backups, details, endedJob, id, order } from '../../testing/things'

const told = '服务器正在迁移到另一台宿主机，完成后恢复原来的电源状态。数据、IP 地址与密码不变。'
const moving = details({
  migrating: true,
  power: 'off',
  status: 'OFFLINE',
  openJob: { id: id(90), kind: 'backup' },
  snapshots: { used: 1, most: 2 },
})
const script: Script = {
  ...consoleReads,
  'orders.get': { data: order({ backups: 3 }) },
  'console.details': { data: moving },
  'backups.list': { data: backups({ backups: [backup()] }) },
}
const button = (name: string | RegExp) => main().getByRole('button', { name, exact: true }).first()
const expectOff = async (...names: (string | RegExp)[]) => {
  for (const name of names) await expect.element(button(name)).toHaveAttribute('aria-disabled', 'true')
}

test.each(['customer', 'admin'] as const)('its console says to a %s that it migrates, and what for', async (as) => {
  await open(consoleAddress, script, as)
  await expect.element(main().getByRole('status').filter({ hasText: told })).toBeVisible()
  await expectOff('启动', '重启', '关机', '强制关机', '重装系统')
  await expectSoundEverywhere()
  await expect.poll(tipOf(button('强制关机'))).toBe(migratingNow)
})

test('one that comes back is told so: it does not go to another host any more', async () => {
  const back = details({ migrating: true, movesBack: true, power: 'off', status: 'OFFLINE' })
  await open(consoleAddress, { ...script, 'console.details': { data: back } })
  const returning = main().getByRole('status').filter({ hasText: '服务器的迁移没有完成，正在原来的宿主机上恢复' })
  await expect.element(returning).toBeVisible()
  expect(main().getByText('到另一台宿主机').elements()).toEqual([])
  await expectOff('启动', '重启', '关机', '强制关机', '重装系统')
  await expectSoundEverywhere()
  await expect.poll(tipOf(button('强制关机'))).toMatch(/^(?!.*到另一台宿主机).+/)
})

test('its jobs are not told as acts of its owner, neither under way nor ended', async () => {
  await open(consoleAddress, { ...script, 'jobs.get': { data: endedJob('backup') } })
  await expect.element(main().getByText(told)).toBeVisible()
  await answer({ ...script, 'console.details': { data: details() }, 'jobs.get': { data: endedJob('restore') } })
  await pressOn('刷新数据')
  await expect.element(main().getByText(told)).not.toBeInTheDocument()
  await expect.element(button('重启')).not.toHaveAttribute('aria-disabled')
  expect(await callsOf('jobs.get')).toEqual([])
  expect(notices.getByText(/完成|失败/).elements()).toEqual([])
})

test('nothing of its disk can be changed meanwhile', async () => {
  await open(`${consoleAddress}?part=disk`, script)
  await expectOff('创建快照', /^恢复 (?!.*备份)/, /^删除 (?!.*备份)/)
  await expectOff('创建备份', /^恢复 .* 的备份$/, /^删除 .* 的备份$/)
  await expect.poll(tipOf(button(/^删除 .* 的备份$/))).toBe(migratingNow)
})

test('its firewall can only be read meanwhile', async () => {
  await open(`${consoleAddress}?part=network`, script)
  await expectOff('添加规则')
  await expect.element(main().getByRole('switch', { name: '启用防火墙' })).toBeDisabled()
})

test('its name and its protection can be changed all the same', async () => {
  await open(`${consoleAddress}?part=security`, script)
  await expect.element(main().getByRole('switch', { name: /^保护/ })).toBeEnabled()
  await expect.element(button('修改服务器名称')).toBeEnabled()
  await expectOff('进入救援模式')
})
