import { expect, test } from 'vitest'
import { dialog, field, inDialog, notices, pressOn, readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, firewall, reverseName, reverseNames } from '../../testing/things'

const at = `${consoleAddress}?part=network`
const serverId = details().id
const having = (change: Parameters<typeof reverseNames>[0] = {}): Script => ({
  ...consoleReads,
  'reverseNames.list': { data: reverseNames(change) },
  'reverseNames.set': { data: null },
})
const heading = () => main().getByRole('heading', { name: '反向解析' })
const six = '2001:db8:0:7::1'

test('each address has its name and how far it is; one that failed is said to be tried again', async () => {
  const names = [
    reverseName(),
    reverseName({ address: six, name: 'mail6.example.com', state: 'WAITING' }),
    reverseName({ address: '10.66.0.5', name: 'web.example.com', state: 'FAILED' }),
    reverseName({ address: '10.66.0.6', name: null, state: 'NONE' }),
    reverseName({ address: '10.66.0.7', name: null, state: 'WAITING' }),
  ]
  await open(at, having({ names }))
  for (const text of ['mail.example.com', '已生效', 'mail6.example.com', '出错', '没有域名', '正在删除', six])
    await expect.element(main().getByText(text, { exact: true }).first()).toBeVisible()
  await expect.element(main().getByText('暂时无法写入；会自动重试。')).toBeVisible()
  await expectSoundEverywhere()
})

test('a name is set for one address, in the way that it was typed, and is then read anew', async () => {
  await open(at, having({ names: [reverseName({ name: null, state: 'NONE' })] }))
  await pressOn('编辑 10.66.0.4 的反向解析')
  await field('10.66.0.4 的域名').fill('Mail.Example.com')
  await expectSoundEverywhere()
  await answer(having({ names: [reverseName({ state: 'WAITING' })] }))
  await inDialog('保存').click()
  await expect.element(notices.getByText('反向解析已保存，正在写入')).toBeVisible()
  expect(await callsOf('reverseNames.set')).toEqual([{ serverId, address: '10.66.0.4', name: 'Mail.Example.com' }])
  await expect.element(main().getByText('待写入', { exact: true })).toBeVisible()
})

test('an empty field removes it', async () => {
  await open(at, having())
  await pressOn('编辑 10.66.0.4 的反向解析')
  await expect.element(field('10.66.0.4 的域名')).toHaveValue('mail.example.com')
  await field('10.66.0.4 的域名').fill('')
  await inDialog('保存').click()
  await expect.element(notices.getByText('反向解析将被删除')).toBeVisible()
  expect(await callsOf('reverseNames.set')).toEqual([{ serverId, address: '10.66.0.4', name: '' }])
})

test('what is no host name is said at the field and not sent; so is what the server refuses', async () => {
  await open(at, having({ mustResolve: true }))
  await expect.element(main().getByText('设置之前，域名需先解析到对应的地址。')).toBeVisible()
  await pressOn('编辑 10.66.0.4 的反向解析')
  await field('10.66.0.4 的域名').fill('mail')
  await inDialog('保存').click()
  await expect.element(dialog.getByText(/请填写完整的域名/)).toBeVisible()
  expect(await callsOf('reverseNames.set')).toEqual([])
  const message = 'a.example.com 还没有解析到 10.66.0.4，请先添加解析记录'
  await answer({ ...having(), 'reverseNames.set': { refused: 'INVALID_INPUT', message, errors: { name: message } } })
  await field('10.66.0.4 的域名').fill('a.example.com')
  await inDialog('保存').click()
  await expect.element(dialog.getByText(message)).toBeVisible()
  await expectSoundEverywhere()
})

test('a shop that offers none says nothing of them', async () => {
  await open(at, having({ names: [reverseName({ name: null, state: 'NONE', isOffered: false })] }))
  await expect.element(main().getByRole('heading', { name: '防火墙' })).toBeVisible()
  await expect.element(heading()).not.toBeInTheDocument()
})

test('nor once they could not be read again', async () => {
  const none = having({ names: [reverseName({ name: null, state: 'NONE', isOffered: false })] })
  // Gone only once they were read: before, that they cannot be is said.
  await open(at, having())
  await expect.element(heading()).toBeVisible()
  await answer(none)
  readAgain()
  await expect.element(heading()).not.toBeInTheDocument()
  await answer({
    ...none,
    'reverseNames.list': { refused: 'NOT_FOUND' },
    'firewall.get': { data: firewall({ state: 'FAILED' }) },
  })
  readAgain()
  await expect.element(main().getByText('应用失败', { exact: true })).toBeVisible()
  await expect.poll(() => callsOf('reverseNames.list')).not.toEqual([])
  await expect.element(heading()).not.toBeInTheDocument()
})

test('names that are there stay to be seen where none are offered any more', async () => {
  await open(at, having({ names: [reverseName({ isOffered: false })] }))
  await expect.element(main().getByText('mail.example.com')).toBeVisible()
  await expect.element(main().getByRole('button', { name: '编辑 10.66.0.4 的反向解析' })).not.toBeInTheDocument()
})

test('names that cannot be read say so, and are read again', async () => {
  await open(at, { ...having(), 'reverseNames.list': { refused: 'FORBIDDEN' } })
  await expect.element(main().getByText('加载反向解析失败')).toBeVisible()
  await answer(having())
  await pressOn('重试')
  await expect.element(main().getByText('mail.example.com')).toBeVisible()
})
