import { describe, expect, test } from 'vitest'
import { configFrom } from './config.js'
import { readEnv } from './env.js'

const secret = 'pKk3vGf5o0QhZ2wq7XcN9TtYbR1sLdMe'
const good = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://vps@db/vps',
  APP_SECRET: secret,
  PUBLIC_URL: 'https://shop.example',
}
const config = (change: Record<string, string> = {}) => configFrom(readEnv({ ...good, ...change }))

describe('production', () => {
  test('starts with https addresses and random secrets', () => {
    expect(config({ EPAY_URL: 'https://pay.example/', EPAY_PID: '1', EPAY_KEY: 'k' })).toMatchObject({
      production: true,
    })
    for (const random of ['8f14e45fceea167a5a36dedd4bea2543', 'Zm9vYmFyYmF6cXV4cXV1eGNvcmdl'])
      config({ APP_SECRET: random })
  })

  test.each([
    ['a plain public address', { PUBLIC_URL: 'http://shop.example' }, /PUBLIC_URL must begin with https/],
    ['none at all, which would be a plain one', { PUBLIC_URL: '' }, /PUBLIC_URL must begin with https/],
    [
      'a plain gateway',
      { EPAY_URL: 'http://pay.example', EPAY_PID: '1', EPAY_KEY: 'k' },
      /EPAY_URL must begin with https/,
    ],
    ['one letter as secret', { APP_SECRET: 'a'.repeat(64) }, /APP_SECRET is too easy to guess/],
    ['a pattern as secret', { APP_SECRET: '1234567812345678' }, /APP_SECRET is too easy to guess/],
    ['a weak old secret beside a strong one', { APP_SECRET: `${secret},passwordpassword` }, /too easy to guess/],
    ['a weak token for measurements', { METRICS_TOKEN: 'metrics' }, /METRICS_TOKEN is too easy to guess/],
  ])('refuses %s', (_name, change, sentence) => {
    expect(() => config(change)).toThrow(sentence)
  })

  test('takes all of that elsewhere', () => {
    expect(config({ NODE_ENV: '', PUBLIC_URL: '', APP_SECRET: 'a'.repeat(16) }).publicUrl).toBe('http://127.0.0.1:3000')
  })
})
