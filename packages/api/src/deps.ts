import { pino, type Logger } from 'pino'
import type { Config } from './config.js'
import { openDb, openPool, readClock, type Db, type Pool } from './db/client.js'
import { momentOf, type Health } from './db/watch.js'
import { onCommit } from './db/tx.js'
import { openNotificationBus, type NotificationBus } from './notifications/bus.js'
import type { Gateway } from './gateway.js'
import type { MetricEngine } from './metric-engine.js'
import { nameResolver, type ResolveName } from './resolve-name.js'
import { openActCounts, type CountAct } from './rate-limits.js'
import { openVault, type Vault } from './vault.js'

/** `id`: what is sent again is the same mail. */
export type Mail = { to: string; subject: string; text: string; html: string; id?: string | undefined }

export type Deps = {
  config: Config
  log: Logger
  /** Who waits in one share takes nothing of another. */
  pools: Record<Share, Pool>
  /** For changes. */
  db: Db
  /** For reads of people signed in. */
  readDb: Db
  /** For visitors of the shop. */
  shopDb: Db
  notifications: NotificationBus
  vault: Vault
  now: () => Date
  /** The process's own, to be held against the database's. */
  clock: () => Date
  /** Timers end things by it; an injected clock replaces it. */
  databaseNow: () => Promise<Date>
  health: Health
  cutConnections(): void
  /** On stopping: long polls are answered, readiness ends. */
  stopping: AbortController
  gateway: Gateway | null
  /** Of recharges begun before it changed. */
  formerGateway: Gateway | null
  metricEngine: MetricEngine | null
  /** Null: mail is logged as not sent. */
  sendMail: ((mail: Mail) => Promise<void>) | null
  resolveName: ResolveName
  countAct: CountAct
}

export type Share = 'commands' | 'reads' | 'visitors'
const visitorConnections = 2

type Overrides = Partial<
  Pick<Deps, 'log' | 'now' | 'databaseNow' | 'gateway' | 'formerGateway' | 'metricEngine' | 'sendMail' | 'resolveName'>
>

/** Throws when the database does not answer. */
export async function openDeps(config: Config, overrides: Overrides = {}): Promise<Deps> {
  const log = overrides.log ?? openLog(config)
  const pools = {
    commands: openPool(config.databaseUrl, config.poolSize, log),
    reads: openPool(config.databaseUrl, config.readPoolSize, log),
    visitors: openPool(config.databaseUrl, visitorConnections, log),
  }
  const [db, readDb] = [openDb(pools.commands), openDb(pools.reads)]
  const injected = overrides.now
  const clock = injected ?? (() => new Date())
  const health: Health = { answers: true, clockAheadMs: 0 }
  const notifications = await openNotificationBus(config.databaseUrl, log)
  // Reading a password is audited.
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
    now: () => momentOf(health, clock),
    clock,
    databaseNow: injected ? () => Promise.resolve(injected()) : () => readClock(db),
    health,
    cutConnections() {
      for (const pool of Object.values(pools)) pool.cut()
      notifications.cut()
    },
    stopping: new AbortController(),
    gateway: null,
    formerGateway: null,
    metricEngine: null,
    sendMail: config.smtpUrl === null ? null : mailer(config.smtpUrl, config.mailFrom),
    resolveName: nameResolver(),
    countAct: openActCounts(),
    ...overrides,
  }
}

/** Closes what `openDeps` opened. */
export async function closeDeps(deps: Deps): Promise<void> {
  await deps.metricEngine?.close()
  await deps.notifications.close()
  for (const db of [deps.shopDb, deps.readDb, deps.db]) await db.destroy()
}

/** JSON lines, without secrets. */
export function openLog(config: Config): Logger {
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
  const paths = secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers.${name}`])
  const standardOutput = pino.destination({ maxLength: 1_000_000 })
  // A full disk under the log ends nothing else: as much waits for room, and no end waits for it.
  standardOutput.on('error', () => {
    standardOutput.flushSync = () => {}
  })
  return pino({ level: config.logLevel, redact: { paths, censor: '[removed]' } }, standardOutput)
}

/** A mail server's silence until its greeting, and later; SMTP_URL may override. */
const silence = { connectionTimeout: 20_000, socketTimeout: 120_000 }
/** One that trickles is never silent; meanwhile a hand of the worker is missing. */
const longestMs = 5 * 60_000

/** Sends, or throws in the mail server's words. */
export function mailer(smtpUrl: string, from: string, longest = longestMs): (mail: Mail) => Promise<void> {
  const open = async () => (await import('nodemailer')).createTransport({ url: smtpUrl, ...silence }, { from })
  let transport: ReturnType<typeof open> | null = null
  const opened = () =>
    (transport ??= open().catch((error: unknown) => {
      transport = null // The library could not be loaded, as when open files are short.
      throw error
    }))
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>.*/, '')
  return async ({ id, ...mail }) => {
    const named = id === undefined ? mail : { ...mail, messageId: `<${id}@${domain}>` }
    await (await opened()).sendMail({ ...named, signal: AbortSignal.timeout(longest) })
  }
}
