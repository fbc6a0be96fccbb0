import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import { checkedBy } from './checked-by'
import { faultsBy, type Contract } from './faults-by'

const asked = { fields: {}, shouldUseNativeValidation: false }

async function faults(
  contract: Contract,
  values: Record<string, string>,
  password?: string,
): Promise<Record<string, string>> {
  const { errors } = await checkedBy<Record<string, string>>(contract, password)(values, undefined, asked)
  return Object.fromEntries(Object.entries(errors).map(([name, fault]) => [name, fault?.message ?? '']))
}

describe('a registration', () => {
  const filled = {
    username: 'somebody_new',
    email: 'somebody@example.com',
    password: 'Geheim-123',
    confirmPassword: 'Geheim-123',
  }
  const check = (changes: Partial<typeof filled>) => faults('registerInput', { ...filled, ...changes }, 'password')

  test('that is whole may be sent, as it was typed', async () => {
    expect(await check({})).toEqual({})
    const typed = { ...filled, username: ' somebody_new ' }
    const { values } = await checkedBy('registerInput', 'password')(typed, undefined, asked)
    expect(values).toMatchObject({ username: ' somebody_new ' })
  })

  test('that is empty misses every field, and asks for the second password too', async () => {
    const empty = { username: '', email: '', password: '', confirmPassword: '' }
    expect(await check(empty)).toEqual({
      username: text.required,
      email: text.required,
      password: text.required,
      confirmPassword: text.required,
    })
  })

  test('tells a second password that is missing from one that differs', async () => {
    expect(await check({ confirmPassword: '' })).toEqual({ confirmPassword: text.required })
    expect(await check({ confirmPassword: 'Geheim-124' })).toEqual({ confirmPassword: text.confirmMismatch })
  })

  test('does not complain of a second password because the first is too short', async () => {
    expect(Object.keys(await check({ password: 'abc', confirmPassword: 'abc' }))).toEqual(['password'])
  })
})

describe('a profile', () => {
  const user = { username: 'customer', email: 'customer@example.com' }
  const blank = { currentPassword: '', newPassword: '', confirmPassword: '' }
  const check = (changes: Partial<typeof blank>) =>
    faults('updateProfileInput', { ...user, ...blank, ...changes }, 'newPassword')

  test('needs no password where none is changed', async () => {
    expect(await check({})).toEqual({})
  })

  test('wants the old password with a new one', async () => {
    const changed = { newPassword: 'Neues-Wort-9', confirmPassword: 'Neues-Wort-9' }
    expect(Object.keys(await check(changed))).toEqual(['currentPassword'])
    expect(await check({ ...changed, currentPassword: 'Altes-Wort-8' })).toEqual({})
  })

  test('wants the new password twice', async () => {
    const typed = { currentPassword: 'Altes-Wort-8', newPassword: 'Neues-Wort-9' }
    expect(await check(typed)).toEqual({ confirmPassword: text.required })
    expect(await check({ confirmPassword: 'Neues-Wort-9' })).toHaveProperty('confirmPassword', text.confirmMismatch)
  })
})

test('a forgotten password needs a whole code', async () => {
  const filled = {
    email: 'somebody@example.com',
    verificationCode: '123456',
    newPassword: 'Neues-Wort-9',
    confirmPassword: 'Neues-Wort-9',
  }
  expect(await faults('resetPasswordInput', filled, 'newPassword')).toEqual({})
  for (const verificationCode of ['', '12345', '12345a', '1234567'])
    expect(await faults('resetPasswordInput', { ...filled, verificationCode }, 'newPassword')).toEqual({
      verificationCode: text.codeRequired,
    })
})

test('a form without a second password is checked by its contract alone', async () => {
  expect(await faults('forgotPasswordInput', { email: 'nobody' })).toEqual({ email: text.badEmail })
  expect(await faultsBy('signInInput', { username: '', password: '' })).toEqual({
    username: text.required,
    password: text.required,
  })
})

test('a key is one that servers know, with a name', async () => {
  const key = { name: '笔记本', publicKey: `ssh-ed25519 ${'A'.repeat(68)}` }
  expect(await faultsBy('addSshKeyInput', { name: '', publicKey: 'ssh-dss AAAA' })).toEqual({
    name: text.required,
    publicKey: text.badSshKey,
  })
  expect(await faultsBy('addSshKeyInput', key)).toEqual({})
})
