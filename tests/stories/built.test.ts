/** The files beside the built program, read when first needed, are what they should be. */
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { signUp } from '../setup/customer.js'
import { startProduct } from '../setup/product.js'

test('the reference of the API is shown, every page has a head, a workbook is packed, and an engine of metrics is written to', async () => {
  const engine = createServer((request, reply) => {
    encodings.push(request.headers['content-encoding'])
    request.resume().on('end', () => reply.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  const encodings: unknown[] = []
  await once(engine, 'listening')
  const { port } = engine.address() as AddressInfo
  const product = await startProduct({ env: { METRICS_URL: `http://127.0.0.1:${port}` } })
  try {
    const page = await fetch(`${product.url}/docs/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('swagger-ui')])
    for (const path of ['/', '/notices', '/dashboard']) {
      const head = await fetch(product.url + path, { method: 'HEAD' })
      expect([path, head.status, head.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    }
    const { token } = await signUp(product)
    const headers = { authorization: `Bearer ${token}` }
    const book = await fetch(`${product.url}/api/transactions/export.xlsx`, { headers })
    expect([book.status, (await book.text()).slice(0, 2)]).toEqual([200, 'PK'])
    await expect.poll(() => encodings, { timeout: 120_000 }).toContain('snappy')
  } finally {
    await product.stop()
    engine.close()
    fs.rmSync(product.dataDir, { recursive: true, force: true })
  }
})
