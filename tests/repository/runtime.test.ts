import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('what npm scripts call node is Node.js 24 or newer', () => {
  const version = execFileSync('npm', ['exec', '--no', '--', 'node', '--version'], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  expect(Number(/^v(\d+)\./m.exec(version)?.[1])).toBeGreaterThanOrEqual(24)
})
