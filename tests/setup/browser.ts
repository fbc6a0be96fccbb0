import fs from 'node:fs'
import path from 'node:path'
import type { FullConfig } from '@playwright/test'
import { makeDataDir, startProduct } from './product.js'

const variables = ['PRODUCT_URL', 'GATEWAY_URL', 'PRODUCT_DATA_DIR', 'FAULTS_FILE'] as const

/** One product per worker: files do not meet each other's shop. */
export default async function setup({ workers }: FullConfig): Promise<() => Promise<void>> {
  const stops = await Promise.all(Array.from({ length: workers }, (_, index) => start(index)))
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

async function start(worker: number): Promise<() => Promise<void>> {
  const dataDir = makeDataDir()
  const faultsFile = path.join(dataDir, 'faults.json')
  const quick = { SIMULATED_INSTALL_MS: '300', SIMULATED_POWER_MS: '300' }
  const env = { SIMULATED_FAULTS_FILE: faultsFile, TRUST_PROXY: '127.0.0.1', ...quick }
  const product = await startProduct({ dataDir, env })
  const values = [product.url, product.gatewayUrl, dataDir, faultsFile]
  for (const [at, name] of variables.entries()) process.env[`${name}_${worker}`] = values[at]
  return async () => {
    await product.stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

/** In each worker, as Playwright's settings are read. */
export function takeProduct(): string | undefined {
  const worker = process.env['TEST_PARALLEL_INDEX']
  if (worker === undefined) return undefined
  for (const name of variables) process.env[name] = process.env[`${name}_${worker}`]
  return process.env['PRODUCT_URL']
}
