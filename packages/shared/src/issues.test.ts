import { expect, test } from 'vitest'
import * as z from 'zod'
import { sentenceOf } from './issues.contract.js'

const said = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map((issue) => sentenceOf(issue, 'x '))

test('texts are told in letters, lists in items, numbers by their size', () => {
  expect(said(z.string().min(1), '')).toEqual(['x 至少 1 个字符'])
  expect(said(z.string().max(2), 'abc')).toEqual(['x 最多 2 个字符'])
  expect(said(z.array(z.int()).min(1), [])).toEqual(['x 至少 1 项'])
  expect(said(z.array(z.int()).max(1), [1, 2])).toEqual(['x 最多 1 项'])
  expect(said(z.int().min(1).max(3), 0)).toEqual(['x 不能小于 1'])
  expect(said(z.int().min(1).max(3), 4)).toEqual(['x 不能大于 3'])
  expect(said(z.int(), 'a')).toEqual(['x 格式不正确'])
})
