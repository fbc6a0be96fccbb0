import fs from 'node:fs'
import path from 'node:path'
import { makeDataDir, startProduct } from './product.js'

/** One start of the real thing for all browser tests; each test registers its own people. */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = makeDataDir()
  const faultsFile = path.join(dataDir, 'faults.json')
  const product = await startProduct({ dataDir, env: { SIMULATED_FAULTS_FILE: faultsFile } })
  process.env['PRODUCT_URL'] = product.url
  process.env['GATEWAY_URL'] = product.gatewayUrl
  process.env['FAULTS_FILE'] = faultsFile
  process.env['PRODUCT_DATA_DIR'] = product.dataDir
  return async () => {
    await product.stop()
    fs.rmSync(product.dataDir, { recursive: true, force: true })
  }
}
