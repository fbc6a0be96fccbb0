import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field, inDialog, pressOn } from '../../testing/act'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../testing/screen'
import { authenticator, inDays } from '../../testing/things'

const at = '/profile?part=second-factor'
const off = { 'secondFactor.get': { data: { since: null, recoveryCodesLeft: 0 } } }
const on = { 'secondFactor.get': { data: { since: inDays(0), recoveryCodesLeft: 10 } } }
const codes = Array.from({ length: 10 }, (_, n) => `abcd${n}-efgh${n}`)

test('is turned on with the password, a code of the secret that is shown, and gives recovery codes', async () => {
  await open(at, { ...off, 'secondFactor.prepare': { data: authenticator } })
  await expect.element(main().getByText('未开启', { exact: true })).toBeVisible()
  await pressOn('开启两步验证')
  await field('当前密码').fill('Demo-user-1')
  await inDialog('下一步').click()

  await expect.element(dialog.getByRole('img', { name: '两步验证二维码' })).toBeVisible()
  await expect.element(dialog.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeVisible()
  await expect.element(field('验证码')).toHaveFocus()
  await expect.element(dialog.getByRole('button', { name: '手机不在身边？使用恢复码' })).not.toBeInTheDocument()
  await expectSoundEverywhere()
  await inDialog('开启').click()
  await expect.element(field('验证码')).toHaveAccessibleDescription(/请输入6位验证码/)
  await field('验证码').fill('123 456')
  await answer({ ...on, 'secondFactor.enable': { data: { recoveryCodes: codes } } })
  await inDialog('开启').click()

  await expect.element(dialog.getByRole('list', { name: '恢复码列表' })).toHaveTextContent(codes.join(''))
  expect(await callsOf('secondFactor.enable')).toEqual([{ verificationCode: '123 456' }])
  await expectSoundEverywhere()
  await inDialog('我已保存').click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(main().getByText('恢复码剩余 10 / 10 个')).toBeVisible()
})

test('says when few recovery codes are left', async () => {
  await open(at, { 'secondFactor.get': { data: { since: inDays(-9), recoveryCodesLeft: 2 } } })
  await expect.element(main().getByText('恢复码剩余 2 / 10 个，建议重新生成')).toBeVisible()
  await expectSoundEverywhere()
})

test('at a sign-in the code is asked for once the password was right, and a recovery code may stand for it', async () => {
  await open(
    '/auth',
    { 'accounts.signIn': { refused: 'SECOND_FACTOR_REQUIRED', message: '请输入两步验证的验证码' } },
    'visitor',
  )
  await field('用户名').fill('demo')
  await field('密码').fill('Demo-user-1')
  await pressOn('登录')
  await expect.element(field('验证码')).toHaveFocus()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await expectSoundEverywhere()
  await pressOn('登录')
  await expect.element(field('验证码')).toHaveAccessibleDescription(/请输入6位验证码/)

  await pressOn('手机不在身边？使用恢复码')
  await expect.element(field('恢复码')).toHaveFocus()
  await field('恢复码').fill('abcd0-efgh0')
  await answer({ 'accounts.signIn': { refused: 'WRONG_CODE', message: '验证码错误或已过期' } })
  await pressOn('登录')
  await expect.element(main().getByRole('alert').getByText('验证码错误或已过期')).toBeVisible()
  expect(await callsOf('accounts.signIn')).toEqual([
    { username: 'demo', password: 'Demo-user-1', verificationCode: 'abcd0-efgh0' },
  ])
  await expect.element(field('恢复码')).toHaveValue('abcd0-efgh0')
})
