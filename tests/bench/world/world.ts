import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../../../packages/api/src/db/migrate.js'
import { startPostgres, type Postgres } from '../../../scripts/postgres.js'
import { openClients } from './load.js'
import { cpuMsOf, startProgram, type Program } from './program.js'

/** PostgreSQL with fsync, the built API and a bare server, each in its own process. */
export type World = {
  api: Program
  bare: Program
  /** As the cluster's superuser. */
  sql: pg.Pool
  /** As the application's role. */
  pool: pg.Pool
  url: string
  applicationUrl: string
  /** An order in each group, to be copied. */
  models: Map<number, string>
  cpuMs(): { api: number; postgres: number }
  /** Nobody's agent takes the jobs of pays: after two minutes a timer would look for other hosts, for all of them, while something else is measured. */
  claimAll(): Promise<unknown>
  close(): Promise<void>
}

/** `bench.token` of world.sql. */
export const tokenOf = (kind: 'user' | 'host' | 'admin', n: number): string => `${kind}${n}`.padEnd(43, '-')
/** `bench.id` of world.sql. */
export const idOf = (kind: number, n: number): string =>
  `${kind.toString(16).padStart(8, '0')}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

export const groups = { oneHost: 1, fourHosts: [2, 3, 4, 5, 6], thousandHosts: 7 } as const
const machines = 50_000
const here = import.meta.dirname
const read = (file: string) => fs.readFileSync(path.join(here, file), 'utf8')

export async function makeWorld(log: (line: string) => void): Promise<World> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-bench-'))
  fs.chmodSync(dir, 0o711)
  const postgres = await startWithCommitTimes(dir)
  const { url, applicationUrl } = postgres
  const sql = new pg.Pool({ connectionString: url, max: 4 })
  const pool = new pg.Pool({ connectionString: applicationUrl, max: 32 })
  const ending: (() => Promise<unknown>)[] = [
    () => postgres.stop().then(() => fs.rmSync(dir, { recursive: true, force: true })),
    () => Promise.all([sql.end(), pool.end()]),
  ]
  const close = async () => {
    for (const end of ending.reverse()) await end()
  }
  try {
    log('a shop of 20 groups, 1,000 hosts and 1,000 customers')
    await migrate({ databaseUrl: applicationUrl, databaseOwnerUrl: url })
    for (const file of ['world.sql', '../floors/own-rows.sql', '../floors/bare.sql']) await sql.query(read(file))
    const api = await startApi(applicationUrl, dir)
    ending.push(() => api.stop())
    const bare = await startBare(applicationUrl)
    ending.push(() => bare.stop())
    const models = await placeModels(api.url, [groups.oneHost, ...groups.fourHosts, groups.thousandHosts])
    log(`${machines} machines that run`)
    await sql.query('select bench.fill($1, $2)', [models.get(groups.oneHost), machines])
    await sql.query('vacuum analyze')
    const { rows } = await sql.query<{ data_directory: string }>('show data_directory')
    const postmaster = Number(
      fs.readFileSync(path.join(rows[0]!.data_directory, 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    const cpuMs = () => ({ api: cpuMsOf(api.pid), postgres: cpuMsOf(postmaster) })
    const claimAll = () => sql.query(`update jobs set attempt = 1 where status = 'QUEUED' and attempt = 0`)
    return { api, bare, sql, pool, url, applicationUrl, models, cpuMs, claimAll, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Another shop on the same cluster, with ended orders; `number` is one's. */
export type Shop = { api: Program; orders: number; number: string; close(): Promise<void> }

export async function makeShop(world: World, name: string, orders: number): Promise<Shop> {
  const inDatabase = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).toString()
  const [url, applicationUrl] = [inDatabase(world.url), inDatabase(world.applicationUrl)]
  await world.sql.query(`create database ${name}`)
  await migrate({ databaseUrl: applicationUrl, databaseOwnerUrl: url })
  const sql = new pg.Pool({ connectionString: url, max: 1 })
  await sql.query(read('world.sql'))
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-bench-shop-'))
  const api = await startApi(applicationUrl, dir)
  const models = await placeModels(api.url, [groups.oneHost])
  await sql.query('select bench.old_orders($1, $2)', [models.get(groups.oneHost), orders])
  await sql.query('vacuum analyze')
  const { rows } = await sql.query<{ number: string }>('select number from orders where id = $1', [idOf(8, 777)])
  await sql.end()
  return {
    api,
    orders,
    number: rows[0]!.number,
    async close() {
      await api.stop()
      fs.rmSync(dir, { recursive: true, force: true })
      await world.sql.query(`drop database ${name}`)
    },
  }
}

/** By default commit times are not kept. */
async function startWithCommitTimes(dir: string): Promise<Postgres> {
  const first = await startPostgres({ dir })
  const client = new pg.Client({ connectionString: first.url })
  await client.connect()
  await client.query('alter system set track_commit_timestamp = on')
  await client.end()
  await first.stop()
  return startPostgres({ dir })
}

/** As `npm run serve` does. */
export function startApi(databaseUrl: string, dataDir: string, env: Record<string, string> = {}): Promise<Program> {
  const settings = { DATABASE_URL: databaseUrl, APP_SECRET: 'a secret only for benchmarks', DATA_DIR: dataDir }
  const asServe = { MALLOC_ARENA_MAX: '1', LOG_LEVEL: 'warn' }
  return startProgram(['packages/api/dist/bundle/main.js'], { ...asServe, ...settings, ...env }, '/readyz')
}

/** The floor of HTTP. */
export const startBare = (databaseUrl: string): Promise<Program> =>
  startProgram([path.join(here, '../floors/server.ts')], { DATABASE_URL: databaseUrl }, '/ready')

async function placeModels(url: string, among: readonly number[]): Promise<Map<number, string>> {
  const client = openClients(url, 1)
  const models = new Map<number, string>()
  for (const group of among) {
    const place = { method: 'POST', path: '/api/orders', token: tokenOf('user', 1), body: wish(group) } as const
    models.set(group, (await client.read<{ data: { id: string } }>(0, place)).data.id)
  }
  await client.close()
  return models
}

/** What every customer here buys. */
export const wish = (group: number) => ({
  priceGroupId: idOf(2, group),
  billingPeriod: 'MONTHLY',
  cpuCores: 2,
  memoryGb: 4,
  storageGb: 40,
  bandwidthMbps: 100,
  ipCount: 1,
  osName: 'Debian',
  osVersion: '12',
})
