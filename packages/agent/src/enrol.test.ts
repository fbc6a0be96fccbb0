import { TRPCClientError } from '@trpc/client'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { enrolWhenReachable } from './enrol.js'
import { turn } from './turn.js'

const refused = (code: string) => TRPCClientError.from({ error: { code: -32009, message: code, data: { code } } })

test.each([
  ['newer than the API asks again, for the API is upgraded soon', 'PROTOCOL_TOO_NEW', 'the token'],
  ['older than the API serves ends', 'PROTOCOL_TOO_OLD', 'PROTOCOL_TOO_OLD'],
])('an agent %s', async (_what, code, end) => {
  let asked = 0
  const enrol = () => (asked++ === 0 ? Promise.reject(refused(code)) : Promise.resolve('the token'))
  const enrolled = enrolWhenReachable(enrol, pino({ level: 'silent' }), new AbortController().signal)
  expect(await enrolled.catch((error: Error) => error.message)).toBe(end)
})

test('an agent newer than the API says in one line of its log which of the two to upgrade, and without a stack', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const { signal } = new AbortController()
  let asked = 0
  const tooNew = () => Promise.reject(refused('PROTOCOL_TOO_NEW'))
  await enrolWhenReachable(() => (asked++ === 0 ? tooNew() : Promise.resolve('the token')), log, signal)
  await turn({ log, signal, onFatal: () => {} }, 'claim', tooNew)
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: expect.stringMatching(/^enrolment refused: .* upgrade the API/) }),
    expect.objectContaining({ msg: expect.stringMatching(/^claim refused: .* upgrade the API/) }),
  ])
  expect(lines.join('')).not.toContain('stack')
})
