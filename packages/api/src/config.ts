import { productName } from '@vps/shared/brand'
import { loopback, parseNetwork, type Network } from '@vps/shared/networks'
import type { Env } from './env.js'

export type Config = {
  production: boolean
  demo: boolean
  host: string
  port: number
  publicUrl: string
  /** Names beside that of PUBLIC_URL under which the product is asked for, by agents say. */
  hostNames: readonly string[]
  databaseUrl: string
  /** The tables' owner, who migrates; null: the role of `databaseUrl` does, or the owner has done it elsewhere. */
  databaseOwnerUrl: string | null
  poolSize: number
  readPoolSize: number
  /** How long it stays open, not ready any more, before it closes: longer than a balancer takes to notice. */
  drainSeconds: number
  dataDir: string
  /** How many orders an irreversible timer may end within an hour: a number, or a share of the living ones. */
  brake: { number: number; share: number }
  appSecrets: readonly string[]
  epay: { url: string; pid: string; key: string; confirm: 'query' | 'signature' } | null
  trustProxy: readonly string[]
  metricsToken: string | null
  smtpUrl: string | null
  mailFrom: string
  consoleAccess: 'owners' | 'admins'
  logLevel: string
  /** Internal networks in which dedicated servers and the payment gateway may be. */
  allowedNetworks: readonly Network[]
  /** One-time token with which the demo's own agent enrols. */
  /** Where the demo tells its simulated host which servers already exist. */
}

/** A setting is missing or contradicts another; the message is one sentence for the operator. */
export class ConfigFault extends Error {
  override name = 'ConfigFault'
}

/** Decides, fills defaults and refuses. Nothing is invented in production (running, "Environment"). */
export function configFrom(env: Env): Config {
  const production = env.NODE_ENV === 'production'
  const demo = env.DEMO
  if (production && demo) throw new ConfigFault('DEMO=1 is refused when NODE_ENV=production.')
  const host = env.HOST ?? '127.0.0.1'
  const port = integer('PORT', env.PORT ?? '3000', 0, 65535)
  return {
    production,
    demo,
    host,
    port,
    publicUrl: publicUrl(env.PUBLIC_URL ?? `http://${host}:${port}`, production),
    hostNames: env.HOST_NAMES?.split(',').map((part) => part.trim().toLowerCase()) ?? [],
    databaseUrl: databaseUrl('DATABASE_URL', env.DATABASE_URL),
    databaseOwnerUrl: env.DATABASE_OWNER_URL ? databaseUrl('DATABASE_OWNER_URL', env.DATABASE_OWNER_URL) : null,
    poolSize: integer('DATABASE_POOL', env.DATABASE_POOL ?? '10', 2, 200),
    readPoolSize: integer('DATABASE_READ_POOL', env.DATABASE_READ_POOL ?? '8', 1, 200),
    drainSeconds: integer('DRAIN_SECONDS', env.DRAIN_SECONDS ?? (production ? '5' : '0'), 0, 300),
    brake: {
      number: integer('BRAKE_NUMBER', env.BRAKE_NUMBER ?? '50', 1, 1_000_000),
      share: integer('BRAKE_PERCENT', env.BRAKE_PERCENT ?? '5', 0, 100) / 100,
    },
    dataDir: env.DATA_DIR ?? '.data',
    appSecrets: appSecrets(env.APP_SECRET, production),
    epay: epay(env, production),
    trustProxy: env.TRUST_PROXY?.split(',').map((part) => part.trim()) ?? [],
    metricsToken: metricsToken(env.METRICS_TOKEN, production),
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? `${productName} <no-reply@localhost>`,
    consoleAccess: oneOf('CONSOLE_ACCESS', env.CONSOLE_ACCESS ?? 'owners', ['owners', 'admins']),
    logLevel: oneOf('LOG_LEVEL', env.LOG_LEVEL ?? 'info', [
      'fatal',
      'error',
      'warn',
      'info',
      'debug',
      'trace',
      'silent',
    ]),
    allowedNetworks: env.ALLOWED_NETWORKS ? networks(env.ALLOWED_NETWORKS) : demo ? loopback : [],
  }
}

function databaseUrl(name: string, value: string | undefined): string {
  if (!value) throw new ConfigFault(`${name} is not set.`)
  let url: URL
  try {
    url = new URL(value)
  } catch {
    throw new ConfigFault(`${name} is not a valid address, expected postgres://user:password@host:5432/name.`)
  }
  if (!/^postgres(ql)?:$/.test(url.protocol)) throw new ConfigFault(`${name} must begin with postgres://.`)
  return value
}

function appSecrets(value: string | undefined, production: boolean): string[] {
  const secrets = (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (secrets.length === 0) throw new ConfigFault('APP_SECRET is not set.')
  if (secrets.some((secret) => secret.length < 16))
    throw new ConfigFault('APP_SECRET must have at least 16 characters.')
  if (production) for (const secret of secrets) refuseGuessable('APP_SECRET', secret)
  return secrets
}

function metricsToken(value: string | undefined, production: boolean): string | null {
  if (value && production) refuseGuessable('METRICS_TOKEN', value)
  return value ?? null
}

const secretBits = 80

/** Length alone does not make a secret: what its own letters tell is measured, as Shannon's entropy of the text. */
function refuseGuessable(name: string, secret: string): void {
  const counts = new Map<string, number>()
  for (const letter of secret) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const { length } = [...secret]
  const bits = [...counts.values()].reduce((sum, count) => sum + count * Math.log2(length / count), 0)
  if (bits < secretBits)
    throw new ConfigFault(`${name} is too easy to guess; make one that is random: openssl rand -base64 32`)
}

function publicUrl(value: string, production: boolean): string {
  let url: URL
  try {
    url = new URL(value)
  } catch {
    throw new ConfigFault('PUBLIC_URL is not a valid address.')
  }
  if (!/^https?:$/.test(url.protocol)) throw new ConfigFault('PUBLIC_URL must begin with http:// or https://.')
  if (production && url.protocol !== 'https:')
    throw new ConfigFault('PUBLIC_URL must begin with https:// in production.')
  if (url.search || url.hash) throw new ConfigFault('PUBLIC_URL must not carry a query.')
  return value.replace(/\/+$/, '')
}

function epay(env: Env, production: boolean): Config['epay'] {
  const { EPAY_URL: url, EPAY_PID: pid, EPAY_KEY: key } = env
  if (!url && !pid && !key) return null
  if (!url || !pid || !key)
    throw new ConfigFault('EPAY_URL, EPAY_PID and EPAY_KEY belong together; one of them is not set.')
  if (production && !/^https:\/\//i.test(url)) throw new ConfigFault('EPAY_URL must begin with https:// in production.')
  return { url, pid, key, confirm: oneOf('EPAY_CONFIRM', env.EPAY_CONFIRM ?? 'query', ['query', 'signature']) }
}

function networks(value: string): Network[] {
  return value.split(',').map((part) => {
    const network = parseNetwork(part)
    if (!network) throw new ConfigFault('ALLOWED_NETWORKS must be networks such as 10.0.0.0/8, comma separated.')
    return network
  })
}

function integer(name: string, value: string, min: number, max: number): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new ConfigFault(`${name} must be a whole number from ${min} to ${max}.`)
  }
  return number
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value)
  if (!found) throw new ConfigFault(`${name} must be one of ${allowed.join(', ')}.`)
  return found
}
