/** What was done without an answer and is sent again is refused: by a password, a code or a link that is used up. */
import * as text from '@vps/shared/text'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { field, inQuestion, notices, pressOn, question } from '../../testing/act'
import { answer, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Failure, Script } from '../../testing/script'
import { id, inDays } from '../../testing/things'

type Act = 'accounts.updateProfile' | 'accounts.resetPassword' | 'accounts.register' | 'accounts.followEmailLink'
type Way = { act: Act; press: string; refused: Failure; told: string; hint: string; begin: () => Promise<void> }

const code = { refused: 'WRONG_CODE' } as const
const used = { refused: 'WRONG_CODE', message: '链接无效或已过期' } as const
const profile: Script = {
  'wallet.get': { data: { balance: 0, updatedAt: inDays(0) } },
  'accounts.sshKeys': { data: [] },
  'accounts.devices': { data: [] },
}
const link = `/email-change?act=take-back&token=${'x'.repeat(43)}`

async function chooseNewPassword() {
  await field('新密码').fill('Another-1')
  await field('确认密码').fill('Another-1')
}

const ways: [string, Way][] = [
  [
    'a password change',
    {
      act: 'accounts.updateProfile',
      press: '保存',
      refused: { refused: 'WRONG_CURRENT_PASSWORD', errors: { currentPassword: '当前密码不正确' } },
      told: '当前密码不正确',
      hint: '当时填写的新密码可能已经生效，请用它登录来确认',
      begin: async () => {
        await open('/profile', profile)
        await page.getByText('修改密码（可选）').click()
        await field('当前密码').fill('Secret-12')
        await chooseNewPassword()
      },
    },
  ],
  [
    'a reset by a mailed code',
    {
      act: 'accounts.resetPassword',
      press: '重置密码',
      refused: code,
      told: '验证码错误或已过期',
      hint: '当时填写的新密码可能已经生效，请用它登录来确认',
      begin: async () => {
        await open('/forgot-password', { 'accounts.forgotPassword': { data: null } }, 'visitor')
        await field('邮箱').fill('somebody@example.com')
        await pressOn('发送验证码')
        await field('验证码').fill('123456')
        await chooseNewPassword()
      },
    },
  ],
  [
    'a registration',
    {
      act: 'accounts.register',
      press: '注册',
      refused: { refused: 'USERNAME_TAKEN' },
      told: '用户已存在',
      hint: '账户可能已经注册成功，请用当时填写的密码登录来确认',
      begin: async () => {
        await open('/auth', {}, 'visitor')
        await pressOn('立即注册')
        await field('用户名').fill('somebody')
        await field('邮箱').fill('somebody@example.com')
        await field('密码').fill('Another-1')
        await field('确认密码').fill('Another-1')
      },
    },
  ],
  [
    'an address taken back',
    {
      act: 'accounts.followEmailLink',
      press: '恢复此邮箱',
      refused: used,
      told: '链接无效或已过期',
      hint: '邮箱可能已经恢复，请通过“找回密码”设置新密码',
      begin: () => open(link, {}, 'visitor'),
    },
  ],
]

describe.each(ways)('%s', (_, { act, press, refused, told, hint, begin }) => {
  const alert = () => main().getByRole('alert')
  beforeEach(begin)

  test.each(['lost', 'a proxy’s page', 'cut short'] as const)(
    'that is refused after an answer that was %s may have been done, which is said with how to find out',
    async (failure) => {
      await answer({ ...profile, [act]: [failure, refused] })
      await pressOn(press)
      await expect.element(alert()).toBeVisible()
      await expect.element(alert()).not.toMatchTextContent(told)
      await pressOn(press)
      await expect.element(alert()).toMatchTextContent(told)
      await expect.element(alert()).toMatchTextContent(hint)
      await expectSoundEverywhere()
    },
  )

  test('that was refused at once was not done', async () => {
    await answer({ ...profile, [act]: refused })
    await pressOn(press)
    await expect.element(alert()).toMatchTextContent(told)
    await pressOn(press)
    await expect.element(alert()).toMatchTextContent(told)
    await expect.element(alert()).not.toMatchTextContent(hint)
  })
})

const device = {
  id: id(51),
  current: false,
  address: null,
  userAgent: null,
  lastSeenAt: inDays(0),
  createdAt: inDays(-1),
}
const sshKey = {
  id: id(52),
  name: '笔记本',
  publicKey: `ssh-ed25519 ${'A'.repeat(68)}`,
  fingerprint: `SHA256:${'b'.repeat(43)}`,
  createdAt: inDays(-1),
}
const gone = { refused: 'NOT_FOUND' } as const
const kept: [string, { at: string; press: string; question: string; told: string; script: Script; after: Script }][] = [
  [
    'a key',
    {
      at: '/profile?part=keys',
      press: `删除 ${sshKey.name}`,
      question: '确认删除',
      told: 'SSH密钥已删除',
      script: { 'accounts.sshKeys': { data: [sshKey] }, 'accounts.removeSshKey': 'lost' },
      after: { 'accounts.sshKeys': { data: [] }, 'accounts.removeSshKey': gone },
    },
  ],
  [
    'a device',
    {
      at: '/profile?part=devices',
      press: '移除 未知设备（未知地址）',
      question: '确认移除',
      told: '设备已移除',
      script: { 'accounts.devices': { data: [device] }, 'accounts.revokeDevice': 'lost' },
      after: { 'accounts.devices': { data: [] }, 'accounts.revokeDevice': gone },
    },
  ],
]

test.each(kept)('%s that was removed without an answer is told as removed', async (_, way) => {
  await open(way.at, way.script)
  await pressOn(way.press)
  await inQuestion(way.question).click()
  await expect.element(question.getByText(text.networkError)).toBeVisible()
  await answer(way.after)
  await inQuestion(way.question).click()
  await expect.element(notices.getByText(way.told)).toBeVisible()
  await expect.element(question).not.toBeInTheDocument()
})
