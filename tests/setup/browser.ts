import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { makeDataDir, startProduct, type Product } from './product.js'

const templateVariable = 'BROWSER_TEMPLATE'

/** As `simulated/faults.ts` reads it. */
export const faultsFileIn = (dataDir: string) => path.join(dataDir, 'faults.json')

const settings = (dataDir: string) => ({
  SIMULATED_FAULTS_FILE: faultsFileIn(dataDir),
  TRUST_PROXY: '127.0.0.1',
  SIMULATED_INSTALL_MS: '300',
  SIMULATED_POWER_MS: '300',
})

/** Once: what a first start makes, for every spec file to copy. */
export default async function setup(): Promise<() => void> {
  const dataDir = makeDataDir()
  const product = await startProduct({ dataDir, env: settings(dataDir) })
  await product.stop()
  process.env[templateVariable] = dataDir
  return () => fs.rmSync(dataDir, { recursive: true, force: true })
}

/** As right after a first start; stopped and removed when `use` ends. */
export async function withFreshProduct(use: (product: Product) => Promise<void>): Promise<void> {
  const template = process.env[templateVariable]
  if (!template) throw new Error(`${templateVariable} is not set: the set-up has not run`)
  const dataDir = makeDataDir()
  // The cluster's files stay its user's.
  execFileSync('cp', ['-a', `${template}/.`, dataDir])
  const product = await startProduct({ dataDir, env: settings(dataDir) })
  try {
    await use(product)
  } finally {
    await product.stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}
