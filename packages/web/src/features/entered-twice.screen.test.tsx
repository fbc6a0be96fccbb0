import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { choose, field, inDialog, pressOn } from '../testing/act'
import { consoleAddress, consoleReads } from '../testing/customers-acts'
import { callsOf, open } from '../testing/screen'
import type { Script } from '../testing/script'
import { row } from '../testing/things'

const { serverName } = row()
const dashboard: Script = { 'orders.list': { data: [row()] } }
const profile: Script = { 'accounts.sshKeys': { data: [] }, 'accounts.devices': { data: [] } }

test.each([
  {
    path: 'orders.renameServer',
    at: consoleAddress,
    reads: consoleReads,
    reach: () => pressOn('修改服务器名称'),
    label: '服务器名称',
  },
  {
    path: 'orders.setLabels',
    at: '/dashboard',
    reads: dashboard,
    reach: () => choose(serverName, '设置标签'),
    label: '标签',
  },
  {
    path: 'accounts.addSshKey',
    at: '/profile?part=keys',
    reads: profile,
    reach: async () => {
      await pressOn('新增')
      await field('公钥').fill(`ssh-ed25519 ${'A'.repeat(68)}`)
    },
    label: '名称',
  },
] as const)('$path is sent once however often Enter is pressed', async ({ path, at, reads, reach, label }) => {
  await open(at, { ...reads, [path]: 'no answer' })
  await reach()
  await field(label).fill('网站')
  await userEvent.keyboard('{Enter}')
  await expect.element(inDialog('保存')).toHaveAttribute('aria-busy', 'true')
  await userEvent.keyboard('{Enter}{Enter}')
  await expect.poll(async () => (await callsOf(path)).length).toBe(1)
})
