import { expect, test } from 'vitest'
import { controlByte, keyOf, unwritable } from './keys'

const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 0x20 + at))

test('every printable ASCII character has a key of its own, and no other has one', () => {
  const strokes = [...printable].map((character) => keyOf(character))
  expect(strokes).not.toContain(null)
  const places = strokes.map((stroke) => `${stroke?.shift} ${stroke?.key.code}`)
  expect(new Set(places).size).toBe(printable.length)
  expect(unwritable(`${printable}\n\t`)).toEqual([])
  for (const other of ['é', '中', '€', '\u0007', '\u007f', '“']) expect(keyOf(other), other).toBeNull()
})

test('the keysym is the character, the code its place on a US keyboard', () => {
  expect(keyOf('a')).toEqual({ key: { keysym: 0x61, code: 'KeyA' }, shift: false })
  expect(keyOf('A')).toEqual({ key: { keysym: 0x41, code: 'KeyA' }, shift: true })
  expect(keyOf('@')).toEqual({ key: { keysym: 0x40, code: 'Digit2' }, shift: true })
  expect(keyOf(')')).toEqual({ key: { keysym: 0x29, code: 'Digit0' }, shift: true })
  expect(keyOf(' ')).toEqual({ key: { keysym: 0x20, code: 'Space' }, shift: false })
  expect(keyOf('\n')?.key.code).toBe('Enter')
})

test('what cannot be typed is named once, in order, and lines may end as on Windows', () => {
  expect(unwritable('密码 密é\r\nok')).toEqual(['密', '码', 'é'])
  expect(unwritable('a\r\nb')).toEqual([])
})

test('Ctrl with a letter is its control character', () => {
  expect([controlByte('c'), controlByte('C'), controlByte('['), controlByte('d')]).toEqual([
    '\u0003',
    '\u0003',
    '\u001b',
    '\u0004',
  ])
})
