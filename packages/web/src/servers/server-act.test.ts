import { TRPCClientError } from '@trpc/client'
import { sshPorts } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import { Unanswered } from '../api/errors'
import { idempotencyKey, randomBelow } from '../api/random'
import { makePort, typedPortFault } from './machine-access'
import { actMessage } from './server-act'

describe('an act on a machine that failed', () => {
  test('says that nobody answered in time, or that the answer is lost', () => {
    expect(actMessage(new Unanswered(false))).toBe(text.timeout)
    expect(actMessage(new Unanswered(true))).toBe(`${text.operationFailed}: ${text.outcomeUnknown}`)
  })

  test('says that what answered was not the server, in the words that the specification has for it', () => {
    expect(actMessage(TRPCClientError.from(new SyntaxError('Unexpected token <')))).toBe(text.badReply)
  })

  test('says with what the server refused it, or that there is no network', () => {
    const refused = TRPCClientError.from({
      error: { code: -32000, message: '服务器正在执行其他操作', data: { code: 'LOCKED', httpStatus: 409 } },
    })
    expect(actMessage(refused)).toBe('操作失败: 服务器正在执行其他操作')
    expect(actMessage(TRPCClientError.from(new TypeError('Failed to fetch')))).toBe('操作失败: 网络连接错误')
  })
})

describe('a port', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['22', null],
    ['1024', null],
    ['65535', null],
    ['23', '端口需为1024-65535的整数'],
    ['1023', '端口需为1024-65535的整数'],
    ['65536', '端口需为1024-65535的整数'],
    ['22.5', '端口需为1024-65535的整数'],
    ['ssh', '端口需为1024-65535的整数'],
  ])('that is typed as "%s" is told: %s', (typed, fault) => {
    expect(typedPortFault(typed)).toBe(fault)
  })

  test('that is thrown is one that may be used, and not always the same', () => {
    const thrown = Array.from({ length: 200 }, makePort)
    for (const port of thrown) expect(typedPortFault(port), port).toBeNull()
    for (const port of thrown) expect(Number(port)).toBeGreaterThanOrEqual(sshPorts.min)
    expect(new Set(thrown).size).toBeGreaterThan(100)
  })
})

describe('chance', () => {
  test('stays below its limit, and reaches every number under it', () => {
    const drawn = new Set(Array.from({ length: 500 }, () => randomBelow(6)))
    expect([...drawn].toSorted()).toEqual([0, 1, 2, 3, 4, 5])
    expect(randomBelow(1)).toBe(0)
  })

  test('gives each act a key of its own: 128 bits', () => {
    const keys = Array.from({ length: 100 }, idempotencyKey)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys).size).toBe(100)
  })
})
