import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  generatePassword,
  machinePasswordFault,
  passwordAlphabet,
  passwordScore,
  passwordStrength,
} from './password.js'

test('the strength follows the six points of the specification', () => {
  expect([passwordScore('abc'), passwordStrength('abc')]).toEqual([1, 'weak'])
  expect([passwordScore('abcdefG1'), passwordStrength('abcdefG1')]).toEqual([4, 'medium'])
  expect([passwordScore('abcdefghijG1!'), passwordStrength('abcdefghijG1!')]).toEqual([6, 'strong'])
})

test('a machine password is refused in the words of the specification', () => {
  expect(machinePasswordFault('')).toBe('新密码不能为空')
  expect(machinePasswordFault('Ab1')).toBe('密码长度至少需要8个字符')
  expect(machinePasswordFault('abcdefg1')).toBe('密码必须包含大写字母')
  expect(machinePasswordFault('ABCDEFG1')).toBe('密码必须包含小写字母')
  expect(machinePasswordFault('Abcdefgh')).toBe('密码必须包含数字')
  expect(machinePasswordFault('Abcdefg1 ')).not.toBeNull()
  expect(machinePasswordFault('密码Abcdefg1')).not.toBeNull()
  expect(machinePasswordFault('Abcdefg1')).toBeNull()
})

test('every generated password is accepted and holds no look-alikes', () => {
  expect(passwordAlphabet).not.toMatch(/[0O1lI]/)
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (stream) => {
      const password = generatePassword((below) => (stream.next().value ?? 0) % below)
      expect(password).toHaveLength(12)
      expect(machinePasswordFault(password)).toBeNull()
      expect(password.split('').every((letter) => passwordAlphabet.includes(letter))).toBe(true)
    }),
  )
})
