/** Wherever a process is killed, a server that migrates is in the end on one host, whole and running, and on no other. */
import fs from 'node:fs'
import path from 'node:path'
import type { MigrationStage } from '@vps/shared/cold-migrations'
import type { Migratable } from '@vps/shared/cold-migrations.contract'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFaults, type Fault } from '../../packages/agent/src/hypervisor/simulated/faults.js'
import { checks } from '../../packages/api/src/audit/checks.js'
import { openBooks } from '../setup/books.js'
import { signIn, waitFor, type Customer } from '../setup/customer.js'
import { makeDataDir, processesOf, readQuietly, startProduct, type Product } from '../setup/product.js'

let product: Product
let books: pg.Client
let admin: Customer
let customer: Customer

const dataDir = makeDataDir()
const faultsFile = path.join(dataDir, 'faults.json')

beforeAll(async () => {
  product = await startProduct({
    dataDir,
    // With customers there are three hosts.
    env: {
      DEMO_CUSTOMERS: '1',
      SIMULATED_INSTALL_MS: '400',
      SIMULATED_POWER_MS: '100',
      SIMULATED_FAULTS_FILE: faultsFile,
    },
  })
  books = await openBooks(product)
  admin = await signIn(product, 'admin', 'Admin-demo-1')
  customer = await signIn(product, 'demo', 'Demo-user-1')
  await customer.recharge(2000)
})
afterAll(async () => {
  await books.end()
  await product.stop()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
})

type Kept = {
  domains: Record<string, { on: boolean; generation: { number: number } }>
  disks: { serverId: string; passwordHash: string | null }[]
}
/** What the simulated hosts really have of a server, past every report. */
function reallyThere(serverId: string) {
  const folders = fs.readdirSync(dataDir).filter((name) => /^agent(-\d)?$/.test(name))
  return folders.flatMap((folder) => {
    const file = path.join(dataDir, folder, 'simulated-host.json')
    const { domains, disks }: Kept = JSON.parse(fs.readFileSync(file, 'utf8'))
    const domain = domains[serverId]
    const own = disks.filter((disk) => disk.serverId === serverId)
    if (!domain && own.length === 0) return []
    return [{ folder, on: domain?.on ?? false, disks: own.length, passwordHash: own[0]?.passwordHash ?? null }]
  })
}

async function running(): Promise<{ serverId: string; hostId: string }> {
  const { id } = await customer.placeOrder()
  await customer.call('POST', `/orders/${id}/pay`, {})
  await waitFor(async () => (await customer.readOrder(id)).status === 'ACTIVE', 'the order to be running')
  const serverId = (await customer.readOrder(id)).serverId!
  const { rows } = await books.query<{ host_id: string }>(
    `select host_id from placements where server_id = $1 and state = 'held'`,
    [serverId],
  )
  return { serverId, hostId: rows[0]!.host_id }
}

async function migrate({ serverId }: { serverId: string }): Promise<void> {
  const asked = await admin.call('POST', `/servers/${serverId}/migrate`, { hostId: null })
  expect(asked.body).toMatchObject({ success: true })
}

async function stageOf(serverId: string): Promise<MigrationStage> {
  const { rows } = await books.query<{ stage: MigrationStage }>(
    'select stage from cold_migrations where server_id = $1 order by created_at desc limit 1',
    [serverId],
  )
  return rows[0]!.stage
}

const hostNow = async (serverId: string) => {
  const { rows } = await books.query<{ host_id: string }>(
    `select host_id from placements where server_id = $1 and state <> 'freed'`,
    [serverId],
  )
  return rows.map((row) => row.host_id)
}

async function faultsFound(): Promise<string[]> {
  const found: string[] = []
  for (const { sql } of checks)
    found.push(...(await books.query(sql, sql.includes('$1') ? [new Date()] : [])).rows.map((row) => row.fault))
  return found
}

/** On one host, as it was. */
async function settled(serverId: string, as: MigrationStage, passwordHash: string | null): Promise<void> {
  await waitFor(async () => (await stageOf(serverId)) === as, `the migration to be ${as}`, 60_000)
  await waitFor(
    () => Promise.resolve(reallyThere(serverId).length === 1 && reallyThere(serverId)[0]!.on),
    'one running machine',
    60_000,
  )
  expect(reallyThere(serverId)).toMatchObject([{ on: true, disks: 1, passwordHash }])
  await waitFor(async () => (await hostNow(serverId)).length === 1, 'the other place to be given up', 90_000)
  await waitFor(async () => (await faultsFound()).length === 0, 'the books to be right')
}

const faults: [string, Omit<Fault, 'serverId'>][] = [
  ['as it is turned off', { verb: 'askShutdown', kind: 'killAfter' }],
  ['before its disk is copied', { verb: 'backUp', kind: 'killBefore' }],
  ['after its disk was copied', { verb: 'backUp', kind: 'killAfter' }],
  ['before its disk is brought back', { verb: 'restoreDisk', kind: 'killBefore' }],
  ['after its disk was brought back', { verb: 'restoreDisk', kind: 'killAfter' }],
  ['as it is defined', { verb: 'define', kind: 'killAfter' }],
  ['as it is started', { verb: 'start', kind: 'killAfter' }],
  ['as it is destroyed where it was', { verb: 'remove', kind: 'killAfter' }],
]
test.each(faults)('an agent killed %s goes on, and it arrives', async (_, fault) => {
  const { serverId, hostId } = await running()
  const [before] = reallyThere(serverId)
  writeFaults(faultsFile, [{ ...fault, serverId }])
  await migrate({ serverId })
  await settled(serverId, 'DONE', before!.passwordHash)
  expect(JSON.parse(fs.readFileSync(faultsFile, 'utf8')), 'the fault struck').toEqual([])
  expect(await hostNow(serverId)).not.toContain(hostId)
})

test.each([50, 400, 900, 1500])('the API killed %i ms after it was asked for: it arrives', async (delayMs) => {
  const { serverId, hostId } = await running()
  const [before] = reallyThere(serverId)
  await migrate({ serverId })
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  const api = processesOf(dataDir).find((pid) =>
    readQuietly(`/proc/${pid}/cmdline`).includes('packages/demo/dist/bundle/main.js'),
  )
  process.kill(api!, 'SIGKILL')
  await settled(serverId, 'DONE', before!.passwordHash)
  expect(await hostNow(serverId)).not.toContain(hostId)
})

test('a host that cannot bring it back leaves it running where it was, and nothing of it behind', async () => {
  const { serverId, hostId } = await running()
  const [before] = reallyThere(serverId)
  writeFaults(faultsFile, [{ verb: 'start', kind: 'fail', times: 3, serverId }])
  await migrate({ serverId })
  await settled(serverId, 'FAILED', before!.passwordHash)
  expect(await hostNow(serverId)).toEqual([hostId])
  const list = await admin.call<Migratable[]>('GET', `/hosts/${hostId}/migrations`)
  const row = list.body.data.find((one) => one.serverId === serverId)
  expect(row).toMatchObject({ isHere: true, stays: null, migration: { stage: 'FAILED', reason: expect.any(String) } })
})
