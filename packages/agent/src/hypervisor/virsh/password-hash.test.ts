import { expect, test } from 'vitest'
import { hashPassword } from './password-hash.js'
import { run } from './run.js'

test('the hash is salted anew each time, and belongs to the password alone', async () => {
  const [hash, other] = [await hashPassword('Correct-Horse-1'), await hashPassword('Correct-Horse-1')]
  expect(hash).toMatch(/^\$6\$[./A-Za-z0-9]{16}\$[./A-Za-z0-9]{86}$/)
  expect(other).not.toBe(hash)
  const salt = hash.split('$')[2] ?? ''
  const verify = (password: string) => run('openssl', ['passwd', '-6', '-salt', salt, '-stdin'], { input: password })
  expect(await verify('Correct-Horse-1')).toBe(hash)
  expect(await verify('correct-horse-1')).not.toBe(hash)
})

test('a password of the longest kind counts whole', async () => {
  const long = 'x'.repeat(127)
  const hash = await hashPassword(`${long}a`)
  const salt = hash.split('$')[2] ?? ''
  expect(await run('openssl', ['passwd', '-6', '-salt', salt, '-stdin'], { input: `${long}b` })).not.toBe(hash)
})
