import { expect, test } from 'vitest'
import { isTyped } from './is-typed'

test.each([
  ['web 01', 'web  01'],
  [' web 01\n', 'web 01'],
  ['web 01', 'web\u3000\u00a001'],
  ['香港(测试)', '香港（测试）'],
  ['ＶＰＳ－１', 'VPS-1'],
])('"%s" is the name "%s" as it is seen', (typed, name) => {
  expect(isTyped(typed, name)).toBe(true)
})

test.each([
  ['web01', 'web 01'],
  ['Web 01', 'web 01'],
  ['web 0', 'web 01'],
  ['', 'web 01'],
])('"%s" is not the name "%s"', (typed, name) => {
  expect(isTyped(typed, name)).toBe(false)
})
