/** The curl stories of README.md, run as printed. */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProduct, type Product } from '../setup/product.js'

const readme = fs.readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8')

/** They share variables, so they are one script. */
const story = [...readme.matchAll(/^```(?:sh|bash)\n(.*?)^```$/gms)]
  .map(([, block = '']) => block)
  .filter((block) => block.includes('curl'))

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(async () => {
  await product.stop()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
})

test('README shows login, order, pay and console', () => {
  for (const call of ['/auth/login', '/orders', '/pay', '/server-management/']) expect(story.join('\n')).toContain(call)
})

test('the curl stories of README work as printed', async () => {
  const script = story
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', product.url)
    .replaceAll('http://127.0.0.1:3001', product.gatewayUrl)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    timeout: 240_000,
    cwd: product.dataDir,
  })
  expect(stdout).toContain('ACTIVE')
})
