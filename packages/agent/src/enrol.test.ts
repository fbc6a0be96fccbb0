import { TRPCClientError } from '@trpc/client'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { enrolWhenReachable } from './enrol.js'

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
