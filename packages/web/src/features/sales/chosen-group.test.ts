import { expect, test } from 'vitest'
import { category, group } from '../../testing/things'
import { chosenGroup } from './chosen-group'

const [first, second] = [
  { ...category, id: 'c1' },
  { ...category, id: 'c2' },
]
const [a, b, c] = [
  { ...group, id: 'a', categoryId: 'c2' },
  { ...group, id: 'b', categoryId: 'c1' },
  { ...group, id: 'c', categoryId: 'c2' },
]
const shown = (asked: string | null, categories = [first, second], groups = [a, b, c]) =>
  chosenGroup(asked, categories, groups).group?.id

test('the shop opens with the first group of the first category, whatever order the groups came in', () => {
  expect(shown(null)).toBe('b')
})

test('a category without groups is passed over', () => {
  expect(shown(null, [first, second], [a, c])).toBe('a')
})

test('the address names a group, and one that is gone is as if none were named', () => {
  expect(shown('c')).toBe('c')
  expect(shown('gone')).toBe('b')
})

test('none is the welcome page, which knows where to lead', () => {
  expect(chosenGroup('none', [first, second], [a, b, c])).toEqual({ group: undefined, first: b })
})

test('where nothing is sold there is nothing to show or to lead to', () => {
  expect(chosenGroup(null, [first], [])).toEqual({ group: undefined, first: undefined })
  expect(chosenGroup(null, [], [a])).toEqual({ group: undefined, first: undefined })
})
