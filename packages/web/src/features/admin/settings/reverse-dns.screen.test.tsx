import { expect, test } from 'vitest'
import { dialog, field, inDialog, inQuestion, notices, pressOn, question } from '../../../testing/act'
import { reverseDns, settingsReads } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../../testing/screen'
import type { Script } from '../../../testing/script'

const at = '/settings'
const none = {
  url: null,
  zones: [],
  mustResolve: false,
  waiting: 0,
  failed: 0,
  version: 0,
  savedAt: null,
  savedBy: null,
}
const reads = (change: Partial<typeof reverseDns> = {}): Script => ({
  ...settingsReads,
  'reverseDns.get': { data: { ...reverseDns, ...change } },
  'reverseDns.save': { data: null },
  'reverseDns.clear': { data: null },
})
const button = (name: string) => main().getByRole('button', { name, exact: true })

test('a shop without one asks for address, key and zones, and each must be there', async () => {
  await open(at, reads(none), 'admin')
  await expect.element(button('停用反向解析服务器')).not.toBeInTheDocument()
  await expect.element(button('测试反向解析服务器')).not.toBeInTheDocument()
  await pressOn('编辑反向解析服务器')
  await field('地址').fill('10.0.0.2:8081')
  await field('反向区域').fill('2.0.192.in-addr.arpa\nexample.com')
  await inDialog('保存').click()
  await expect.element(dialog.getByText(/地址需为 http/)).toBeVisible()
  await expect.element(dialog.getByText(/“example.com”不是反向区域/)).toBeVisible()
  await expectSoundEverywhere()
  await field('地址').fill('http://10.0.0.2:8081')
  await field('API 密钥').fill('Key-9')
  await field('反向区域').fill('2.0.192.in-addr.arpa\n\n8.b.d.0.1.0.0.2.ip6.arpa')
  await inDialog('保存').click()
  await expect.element(notices.getByText('反向解析服务器已更新')).toBeVisible()
  expect(await callsOf('reverseDns.save')).toEqual([
    {
      url: 'http://10.0.0.2:8081',
      key: 'Key-9',
      zones: ['2.0.192.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'],
      mustResolve: false,
      version: 0,
    },
  ])
})

test('one that is set says what waits; a test says of each zone whether it can be written', async () => {
  await open(at, reads({ waiting: 2, failed: 1, mustResolve: true }), 'admin')
  await expect.element(main().getByText('2 个待写入，1 个出错（自动重试）')).toBeVisible()
  const zones = [
    { zone: '2.0.192.in-addr.arpa', fault: null },
    { zone: '8.b.d.0.1.0.0.2.ip6.arpa', fault: '名称服务器上没有这个区域' },
  ]
  await answer({ ...reads(), 'reverseDns.test': { data: { zones } } })
  await button('测试反向解析服务器').click()
  const tested = main().getByRole('status', { name: '测试结果' })
  await expect.element(tested.getByText('可以写入')).toBeVisible()
  await expect.element(tested.getByText('名称服务器上没有这个区域')).toBeVisible()
  await expectSoundEverywhere()
})

test('what the server refuses is said at its field; with the same address the key may stay empty', async () => {
  const refused: Script = {
    'reverseDns.save': { refused: 'INVALID_INPUT', message: '请填写 API 密钥', errors: { key: '请填写 API 密钥' } },
  }
  await open(at, { ...reads(), ...refused }, 'admin')
  await pressOn('编辑反向解析服务器')
  await expect.element(dialog.getByText('留空表示不修改')).toBeVisible()
  await field('地址').fill('https://dns.example.com')
  await expect.element(dialog.getByText('留空表示不修改')).not.toBeInTheDocument()
  await inDialog('保存').click()
  await expect.element(dialog.getByText('请填写 API 密钥')).toBeVisible()
})

test('it is switched off after a question that says what stays', async () => {
  await open(at, reads(), 'admin')
  await pressOn('停用反向解析服务器')
  await expect.element(question).toMatchTextContent(/已写入的域名仍在名称服务器上/)
  await inQuestion('确认停用').click()
  await expect.element(notices.getByText('反向解析服务器已停用')).toBeVisible()
  expect(await callsOf('reverseDns.clear')).toEqual([{ version: 1 }])
})

test('one whose switching off was not answered is off when it is asked for again, and not changed by another operator', async () => {
  await open(at, { ...reads(), 'reverseDns.clear': 'lost' }, 'admin')
  await pressOn('停用反向解析服务器')
  await inQuestion('确认停用').click()
  await expect.element(question.getByText('网络连接错误')).toBeVisible()
  await answer({ ...reads({ ...none, version: 2 }), 'reverseDns.clear': { refused: 'CONFLICT' } })
  await inQuestion('确认停用').click()
  await expect.element(notices.getByText('反向解析服务器已停用')).toBeVisible()
  await expect.element(question).not.toBeInTheDocument()
})

test('one that cannot be read says so beside the other settings, and is read again', async () => {
  await open(at, { ...reads(), 'reverseDns.get': { refused: 'FORBIDDEN' } }, 'admin')
  await expect.element(main().getByText('加载反向解析服务器失败')).toBeVisible()
  await answer(reads())
  await pressOn('重试')
  await expect.element(main().getByText('http://10.0.0.2:8081')).toBeVisible()
})
