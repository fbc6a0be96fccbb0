import { createTransport } from 'nodemailer'
import { pino, type Logger } from 'pino'
import type { Config } from './config.js'
import { openDb, openPool, readClock, type Db, type Pool } from './db/client.js'
import type { Health } from './db/watch.js'
import { onCommit } from './db/tx.js'
import { openNotificationBus, type NotificationBus } from './notifications/bus.js'
import type { Gateway } from './gateway.js'
import { openVault, type Vault } from './vault.js'

export type Mail = { to: string; subject: string; text: string; html: string }

/** Everything that an entry point may need; built once per process, overridden piece by piece in tests. */
export type Deps = {
  config: Config
  log: Logger
  /** The process's connections, shared out: whoever waits in one share takes nothing of another. */
  pools: Record<Share, Pool>
  /** Whatever changes something: money, machines, agents, timers. */
  db: Db
  /** What people who are signed in look at. */
  readDb: Db
  /** What visitors ask of the shop. */
  shopDb: Db
  notifications: NotificationBus
  vault: Vault
  now: () => Date
  /** The database's clock, by which timers end things; where a clock is injected, that one. */
  databaseNow: () => Promise<Date>
  /** What the last look at the database found (`db/watch.ts`); in a process that does not look, all is well. */
  health: Health
  /** Ends what waits for a database that does not answer. */
  cutConnections(): void
  /** Ends when the process is to stop: long polls are answered then, and it is not ready any more. */
  stopping: AbortController
  /** Null: none was handed over, and recharging is refused. */
  gateway: Gateway | null
  /** Null: no mail server is configured; mail is logged as not sent. */
  sendMail: ((mail: Mail) => Promise<void>) | null
}

export type Share = 'commands' | 'reads' | 'visitors'
const visitorConnections = 2

type Overrides = Partial<Pick<Deps, 'log' | 'now' | 'databaseNow' | 'gateway' | 'sendMail'>>

/** Opens what the configuration names. Throws when the database does not answer. */
export async function openDeps(config: Config, overrides: Overrides = {}): Promise<Deps> {
  const log = overrides.log ?? openLog(config)
  const pools = {
    commands: openPool(config.databaseUrl, config.poolSize, log),
    reads: openPool(config.databaseUrl, config.readPoolSize, log),
    visitors: openPool(config.databaseUrl, visitorConnections, log),
  }
  const [db, readDb] = [openDb(pools.commands), openDb(pools.reads)]
  const injected = overrides.now
  const notifications = await openNotificationBus(config.databaseUrl, log)
  // A read may write, too: who looked at a password is audited.
  for (const each of [db, readDb]) onCommit(each, (list) => notifications.send(list))
  return {
    config,
    log,
    pools,
    db,
    readDb,
    shopDb: openDb(pools.visitors),
    notifications,
    vault: openVault(config.appSecrets),
    now: () => new Date(),
    databaseNow: injected ? () => Promise.resolve(injected()) : () => readClock(db),
    health: { answers: true, clockAheadMs: 0 },
    cutConnections() {
      for (const pool of Object.values(pools)) pool.cut()
    },
    stopping: new AbortController(),
    gateway: null,
    sendMail: config.smtpUrl === null ? null : mailer(config.smtpUrl, config.mailFrom),
    ...overrides,
  }
}

/** Closes what `openDeps` opened. */
export async function closeDeps(deps: Deps): Promise<void> {
  await deps.notifications.close()
  for (const db of [deps.shopDb, deps.readDb, deps.db]) await db.destroy()
}

/** JSON lines; what could carry a secret is cut out wherever it stands. */
function openLog(config: Config): Logger {
  const secret = [
    'password',
    'newPassword',
    'rootPassword',
    'initialPassword',
    'token',
    'authorization',
    'cookie',
    'key',
    'sign',
  ]
  return pino({
    level: config.logLevel,
    redact: {
      paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers.${name}`]),
      censor: '[removed]',
    },
  })
}

function mailer(smtpUrl: string, from: string): (mail: Mail) => Promise<void> {
  const transport = createTransport(smtpUrl, { from })
  return async (mail) => void (await transport.sendMail(mail))
}
