import fs from 'node:fs'
import { startProduct } from './product.js'

/** One start of the real thing for all browser tests; each test registers its own people. */
export default async function setup(): Promise<() => Promise<void>> {
  const product = await startProduct()
  process.env['PRODUCT_URL'] = product.url
  process.env['GATEWAY_URL'] = product.gatewayUrl
  return async () => {
    await product.stop()
    fs.rmSync(product.dataDir, { recursive: true, force: true })
  }
}
