import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../packages/api/src/testing/database.js'
import { startPostgres } from '../../scripts/postgres.js'
import { endApi, startApi, type ApiProcess } from '../setup/api-process.js'
import { openBooks } from '../setup/books.js'
import { signIn } from '../setup/customer.js'
import { makeDataDir, startProduct, type Product } from '../setup/product.js'

describe('npm start', () => {
  const dataDir = makeDataDir()
  const running: Product[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((product) => product.stop()))
    fs.rmSync(dataDir, { recursive: true, force: true })
  })

  /** As before the application had a role of its own. */
  async function forgetRole(): Promise<void> {
    const postgres = await startPostgres({ dir: path.join(dataDir, 'postgres') })
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { username } = new URL(postgres.applicationUrl)
    await client.query(`drop owned by ${username}; drop role ${username}`)
    await client.end()
    await postgres.stop()
  }

  async function start(): Promise<Product> {
    const product = await startProduct({ dataDir })
    running.push(product)
    return product
  }

  test('works as a role that owns nothing, also on a data directory from before, which loses nothing', async () => {
    await (await start()).stop()
    await forgetRole()
    const product = await start()
    const demo = await signIn(product, 'demo', 'Demo-user-1')
    expect(await demo.balance()).toBe(1000)
    const { id } = await demo.placeOrder()
    expect((await demo.call('POST', `/orders/${id}/pay`)).status).toBe(200)
    const books = await openBooks(product)
    const { rows } = await books.query<{ role: string; owns: boolean }>(
      `select distinct usename as role, pg_has_role(usename, (select relowner from pg_class where oid = 'orders'::regclass), 'member') as owns
       from pg_stat_activity where application_name like 'vps-%' and state is distinct from 'starting' -- has no role yet`,
    )
    await books.end()
    expect(rows).toEqual([{ role: 'portal', owns: false }])
    expect(fs.readFileSync(path.join(dataDir, 'logs', 'api.log'), 'utf8')).not.toContain('owns the tables')
  })
})

describe('an API process', () => {
  let database: TestDatabase
  let api: ApiProcess | undefined
  afterEach(async () => {
    if (api) await endApi(api)
    api = undefined
    await database.drop()
  })
  const begin = async (env: (database: TestDatabase) => Record<string, string>) => {
    database = await testDatabase()
    return (api = await startApi({ APP_SECRET: 'a secret only for tests', ...env(database) }))
  }

  test('with one role for both starts, and warns', async () => {
    const { output } = await begin(({ ownerUrl }) => ({ DATABASE_URL: ownerUrl }))
    expect(output()).toContain('the role of DATABASE_URL owns the tables')
  })

  test('told to be reached at another machine’s address says so at its start, and not with the first remote console', async () => {
    const elsewhere = begin(({ url }) => ({ DATABASE_URL: url, RELAY_ADDRESS: '192.0.2.1' }))
    await expect(elsewhere).rejects.toThrow(/^the API ended: RELAY_ADDRESS is no address of this machine\.\n$/)
  })

  test('whose role has rows alone starts without the owner, or with it, and warns of nothing', async () => {
    const first = await begin(({ url }) => ({ DATABASE_URL: url }))
    expect(first.output()).not.toContain('owns the tables')
    await endApi(first)
    api = await startApi({
      APP_SECRET: 'a secret only for tests',
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
    })
    expect(api.output()).not.toContain('owns the tables')
  })
})
