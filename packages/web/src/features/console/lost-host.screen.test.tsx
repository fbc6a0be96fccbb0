import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { expectSoundEverywhere, main, open, tipOf } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { backup, backups, details, order } from '../../testing/things'

const lost = details({ hostLost: true, power: 'unknown', status: 'OFFLINE' })
const script: Script = {
  ...consoleReads,
  'orders.get': { data: order({ backups: 3 }) },
  'console.details': { data: lost },
  'backups.list': { data: backups({ backups: [backup()] }) },
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const expectOff = async (...names: (string | RegExp)[]) => {
  for (const name of names) await expect.element(button(name)).toHaveAttribute('aria-disabled', 'true')
}

test('its console says what happened and what follows, and offers nothing that a machine would do', async () => {
  await open(consoleAddress, script)
  const told = main().getByRole('alert').filter({ hasText: text.hostBroke })
  await expect.element(told).toMatchTextContent('结果会另行通知')
  await expectOff('启动', '重启', '关机', '强制关机', '重装系统', '远程连接')
  await expectSoundEverywhere()
  await expect.poll(tipOf(main().getByRole('button', { name: '重启', exact: true }))).toBe(text.onLostHost)
})

test('nothing of its disk or network can be changed', async () => {
  await open(`${consoleAddress}?part=disk`, script)
  await expectOff('创建快照', '创建备份', /^恢复 .* 的备份$/, '插入光盘')
  await expect.element(button(/^删除 .* 的备份$/)).not.toHaveAttribute('aria-disabled')
  await main().getByRole('link', { name: '网络', exact: true }).click()
  await expectOff('增加 IP 地址', '添加规则')
  await expect.element(main().getByRole('switch', { name: '启用防火墙' })).toBeDisabled()
})

test('of a suspended one no renewal is offered, which would be refused', async () => {
  const suspended = order({ status: 'SUSPENDED', suspendReason: 'unpaid' })
  await open(consoleAddress, { ...script, 'orders.get': { data: suspended } })
  await expect.element(main().getByRole('alert').filter({ hasText: text.hostBroke })).toBeVisible()
  await expect.element(main().getByRole('button', { name: '续费', exact: true })).not.toBeInTheDocument()
  await expectOff('重启', '远程连接')
})
