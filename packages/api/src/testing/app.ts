import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { build } from '../build.js'
import { configFrom, type Config } from '../config.js'
import { openDb, type Db } from '../db/client.js'
import { closeDeps, openDeps, type Deps, type Mail } from '../deps.js'
import type { Gateway } from '../payments/gateway.js'
import { testDatabase } from './database.js'
import { collectLog } from './log.js'

export type TestApp = {
  app: FastifyInstance
  deps: Deps
  db: Db
  /** The same database as its owner and superuser sees it; for what the application may not do. */
  owner: Db
  ownerPool: pg.Pool
  ownerUrl: string
  /** Moves the injected clock; the database's own clock goes on. */
  advance(ms: number): void
  /** Every log line so far. */
  logged(): string
  sent: Mail[]
  close(): Promise<void>
}

type Options = { env?: Record<string, string>; config?: Partial<Config>; gateway?: Gateway | null }

/** The whole API on a database of its own, with a clock that tests move. */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const database = await testDatabase()
  const lines: string[] = []
  const env = {
    DATABASE_URL: database.url,
    APP_SECRET: 'a secret only for tests',
    LOG_LEVEL: 'trace',
    ALLOWED_NETWORKS: '127.0.0.0/8',
    ...options.env,
  }
  const config = { ...configFrom(env as never), ...options.config }
  let skewMs = 0
  const sent: Mail[] = []
  const deps = await openDeps(config, {
    log: collectLog('trace', lines),
    now: () => new Date(Date.now() + skewMs),
    sendMail: (mail) => Promise.resolve(void sent.push(mail)),
    ...(options.gateway === undefined ? {} : { gateway: options.gateway }),
  })
  const ownerPool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 }) // without the application's limits
  const owner = openDb(ownerPool)
  const app = await build(deps)
  await app.ready()
  return {
    app,
    deps,
    db: deps.db,
    owner,
    ownerPool,
    ownerUrl: database.ownerUrl,
    advance: (ms) => void (skewMs += ms),
    logged: () => lines.join(''),
    sent,
    async close() {
      await app.close()
      await closeDeps(deps)
      await ownerPool.end()
      await database.drop()
    },
  }
}
