import { compare } from 'bcryptjs'
import { expect, test } from 'vitest'
import { hashPassword } from './password-hash.js'

test('the hash is one that old patterns know too, and belongs to the password alone', async () => {
  const hash = await hashPassword('Correct-Horse-1', 4)
  expect(hash).toMatch(/^\$2y\$04\$[./A-Za-z0-9]{53}$/)
  expect(await compare('Correct-Horse-1', hash)).toBe(true)
  expect(await compare('correct-horse-1', hash)).toBe(false)
})
