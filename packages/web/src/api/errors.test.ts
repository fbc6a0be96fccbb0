import { TRPCClientError } from '@trpc/client'
import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import {
  codeOf,
  failureOf,
  fieldErrorsOf,
  isAnswer,
  isLost,
  isSilence,
  isUnreadable,
  messageOf,
  statusOf,
  Unanswered,
} from './errors'

const refusal = (code: string, httpStatus: number, message: string, errors?: Record<string, string>) =>
  TRPCClientError.from({ error: { code: -32000, message, data: { code, httpStatus, errors } } })
const silence = TRPCClientError.from(new TypeError('Failed to fetch'))
const foreign = TRPCClientError.from(new SyntaxError('Unexpected token <'))
const wrongName = refusal('INVALID_INPUT', 400, '请求参数不正确', { name: '此字段为必填项' })

describe('a refusal', () => {
  test('tells its status, its code, its fields, and its own sentence', () => {
    expect([statusOf(wrongName), codeOf(wrongName), messageOf(wrongName, '保存失败')]).toEqual([
      400,
      'INVALID_INPUT',
      '请求参数不正确',
    ])
    expect(fieldErrorsOf(wrongName)).toEqual({ name: '此字段为必填项' })
  })

  test('without a sentence is told in the words of the act', () => {
    expect(messageOf(refusal('INTERNAL', 500, ''), '保存失败')).toBe('保存失败')
  })

  test('is an answer, except that the server is still at it', () => {
    expect(isAnswer(wrongName)).toBe(true)
    const busy = refusal('IDEMPOTENCY_BUSY', 409, '正在处理')
    expect([isAnswer(busy), isLost(busy)]).toEqual([false, true])
  })
})

describe('silence', () => {
  test('is the network, whatever the act would have said', () => {
    expect(messageOf(silence, '保存失败')).toBe(text.networkError)
    expect([isSilence(silence), isLost(silence), isAnswer(silence), isUnreadable(silence)]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('has neither a status nor a code nor fields', () => {
    expect([statusOf(silence), codeOf(silence), fieldErrorsOf(silence)]).toEqual([null, null, {}])
  })
})

describe('what is not ours', () => {
  test('is told in the words of the act, and never in its own', () => {
    expect(messageOf(foreign, '保存失败')).toBe('保存失败')
    expect(messageOf(foreign)).toBe(text.serverError)
    expect([isUnreadable(foreign), isSilence(foreign)]).toEqual([true, false])
  })

  test('adds no reason to what failed', () => {
    expect(failureOf('刷新数据失败', foreign)).toBe('刷新数据失败')
    expect(failureOf('刷新数据失败', silence)).toBe(`刷新数据失败：${text.networkError}`)
    expect(failureOf('刷新数据失败', wrongName)).toBe('刷新数据失败：请求参数不正确')
  })
})

test('an act without an answer says whether it may have been done', () => {
  expect(messageOf(new Unanswered(true))).toBe(text.outcomeUnknown)
  expect(messageOf(new Unanswered(false))).toBe(text.timeout)
})

test('a bug of our own is no refusal and keeps its words to itself', () => {
  const bug = new Error('undefined is not a function')
  expect([statusOf(bug), codeOf(bug), messageOf(bug)]).toEqual([null, null, text.serverError])
})
