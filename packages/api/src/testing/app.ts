import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { build } from '../build.js'
import { readConfig, type Config } from '../config.js'
import { openDb, type Db } from '../db/client.js'
import { closeDeps, openDeps, type Deps, type Mail } from '../deps.js'
import type { Gateway } from '../gateway.js'
import { configuredGateways } from '../payments/configured-gateway.js'
import { unnamedInAudit } from './audit-names.js'
import { emptyTables, fingerprint, testDatabase } from './database.js'
import { collectLog } from './log.js'

export type TestApp = {
  app: FastifyInstance
  deps: Deps
  db: Db
  /** As owner and superuser. */
  owner: Db
  ownerPool: pg.Pool
  ownerUrl: string
  /** The database's clock goes on. */
  advance(ms: number): void
  logged(): string
  sent: Mail[]
  close(): Promise<void>
}

type Options = { env?: Record<string, string>; config?: Partial<Config>; gateway?: Gateway | null }

type Reusable = { test: TestApp; empty(): Promise<boolean>; end(): Promise<void> }

const idle = new Map<string, Reusable[]>()

/** Ends what a file's tests left for each other (`end-apps.ts`). */
export async function endIdleApps(): Promise<void> {
  const apps = [...idle.values()].flat()
  idle.clear()
  for (const app of apps) await app.end()
}

/** On an empty migrated database, reused where the last test left no trace. */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const key = JSON.stringify(options)
  const { test, empty, end } = idle.get(key)?.pop() ?? (await openApp(options))
  const close = async () => {
    const unnamed = await unnamedInAudit(test.owner)
    // A gateway has its own port: no other test would take this app.
    if (options.gateway || options.config?.epay || !(await empty())) await end()
    else idle.set(key, [...(idle.get(key) ?? []), { test, empty, end }])
    if (unnamed.length > 0) throw new Error(`no name in shared/audit-fields.ts for ${unnamed.join('; ')}`)
  }
  return { ...test, close }
}

async function openApp(options: Options): Promise<Reusable> {
  const database = await testDatabase()
  const lines: string[] = []
  const env = {
    DATABASE_URL: database.url,
    APP_SECRET: 'a secret only for tests',
    LOG_LEVEL: 'trace',
    ALLOWED_NETWORKS: '127.0.0.0/8',
    ...options.env,
  }
  const config = { ...readConfig(env), ...options.config }
  let skewMs = 0
  const sent: Mail[] = []
  const deps = await openDeps(config, {
    log: collectLog('trace', lines),
    now: () => new Date(Date.now() + skewMs),
    sendMail: (mail) => Promise.resolve(void sent.push(mail)),
    ...configuredGateways(config),
    ...(options.gateway !== undefined && { gateway: options.gateway }),
  })
  const ownerPool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 }) // without the application's limits
  const owner = openDb(ownerPool)
  const app = await build(deps)
  const use = watchUse(app)
  await app.ready()
  const asMade = { ...deps }
  const schema = await fingerprint(owner)
  return {
    test: {
      app,
      deps,
      db: deps.db,
      owner,
      ownerPool,
      ownerUrl: database.ownerUrl,
      advance: (ms) => void (skewMs += ms),
      logged: () => lines.join(''),
      sent,
      close: () => Promise.resolve(),
    },
    async empty() {
      const same = Object.keys(asMade).every((name) => deps[name as keyof Deps] === asMade[name as keyof Deps])
      if (use.listened || use.running > 0 || deps.stopping.signal.aborted || !same) return false
      if ((await fingerprint(owner)) !== schema) return false
      await emptyTables(owner)
      deps.notifications.send([{ shop: 'category' }]) // the shop of the test before
      skewMs = lines.length = sent.length = 0
      return true
    },
    async end() {
      await app.close()
      await closeDeps(deps)
      await ownerPool.end()
      await database.drop()
    },
  }
}

/** What would reach the next test: an open port, a running request. */
function watchUse(app: FastifyInstance) {
  const use = { listened: false, running: 0 }
  app.addHook('onListen', async () => void (use.listened = true))
  app.addHook('onRequest', async () => void (use.running += 1))
  app.addHook('onResponse', async () => void (use.running -= 1))
  return use
}

/** To the beginning of a minute and of five: calls are counted by these. */
export function beginMinute(app: Pick<TestApp, 'advance' | 'deps'>): void {
  const fiveMinutes = 300_000
  app.advance(fiveMinutes - (app.deps.now().getTime() % fiveMinutes))
}
