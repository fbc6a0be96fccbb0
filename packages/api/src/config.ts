import { isIP } from 'node:net'
import { productName } from '@vps/shared/brand'
import { loopback, parseNetwork, type Network } from '@vps/shared/networks'
import { remoteLimits } from '@vps/shared/remote'
import * as z from 'zod'

type Epay = { url: string; pid: string; key: string; confirm: 'query' | 'signature' }

export type Config = {
  production: boolean
  demo: boolean
  host: string
  port: number
  publicUrl: string
  hostNames: readonly string[]
  databaseUrl: string
  /** The tables' owner, who migrates; null: `databaseUrl`'s role, or done elsewhere. */
  databaseOwnerUrl: string | null
  poolSize: number
  readPoolSize: number
  workers: number
  /** Where other processes reach this one for remote consoles. Private. */
  relayAddress: string
  /** To both ends of a remote console: some proxies cut what is idle. */
  remotePingSeconds: number
  /** Open but not ready, so that a balancer notices. */
  drainSeconds: number
  dataDir: string
  /** Orders that an irreversible timer may end in an hour: a number, or a share of the living. */
  brake: { number: number; share: number }
  appSecrets: readonly string[]
  epay: Epay | null
  /** Of recharges begun before it changed. */
  formerEpay: Epay | null
  trustProxy: readonly string[]
  metricsToken: string | null
  /** Keeps metrics instead of the database; and where to write, if elsewhere. */
  metricsUrl: string | null
  metricsWriteUrl: string | null
  smtpUrl: string | null
  mailFrom: string
  consoleAccess: 'owners' | 'admins'
  logLevel: string
  allowedNetworks: readonly Network[]
}

/** One sentence for the operator. */
export class ConfigFault extends Error {
  override name = 'ConfigFault'
}

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}.`
  return z.coerce.number(error).int(error).min(min, error).max(max, error)
}
const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}.`)
const list = z.string().transform((text) => text.split(',').map((part) => part.trim()))
const notValid = (example: string) =>
  `is not a valid address, expected ${example}, with signs such as #, / and ? of user and password as %23, %2F and %3F.`
/** libpq's programs take several, separated by commas, and its `target_session_attrs`. */
const namesSeveral = /^\w+:\/\/([^/?#]*@)?[^/?#@]*,[^/?#@]*([/?#]|$)|[?&]host=[^&]*(,|%2C)/i
const databaseUrl = z
  .string('is not set.')
  .refine((text) => !namesSeveral.test(text), {
    error: 'must name one server: of several, the address that leads to the one that takes changes.',
    abort: true,
  })
  .refine(URL.canParse, { error: notValid('postgres://user:password@host:5432/name'), abort: true })
  .refine((text) => /^postgres(ql)?:$/.test(new URL(text).protocol), 'must begin with postgres://.')
const webPage = z
  .string()
  .refine(URL.canParse, { error: 'is not a valid address.', abort: true })
  .refine((text) => /^https?:$/.test(new URL(text).protocol), 'must begin with http:// or https://.')
const webAddress = webPage.refine((text) => !new URL(text).search && !new URL(text).hash, 'must not carry a query.')
const metricAddress = webAddress.refine((text) => {
  const { username, password } = new URL(text)
  try {
    return decodeURIComponent(username + password) !== null
  } catch {
    return false
  }
}, 'is not a valid address: a % of its user or password is written %25.')
/** Pages, files and links in mails are below its root alone. */
const origin = webAddress.refine((text) => {
  const { pathname, username, password } = new URL(text)
  return pathname === '/' && username === '' && password === ''
}, 'must be an address without a path.')
const hostNames = list
  .transform((names) => names.map((name) => name.toLowerCase()))
  .refine((names) => names.every(isHostName), 'must be names without a port, comma separated.')
const isHostName = (name: string) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name
const listenedAt = z
  .string()
  .refine((text) => isIP(text) !== 0 || isHostName(text.toLowerCase()), 'must be an address or a name without a port.')
// Of other schemes nodemailer takes this machine, and tells of an invalid one with the first mail.
const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\//i, { error: 'must begin with smtp:// or smtps://.', abort: true })
  .refine((text) => URL.canParse(text) && new URL(text).hostname !== '', notValid('smtp://user:password@host:587'))
const sender = z
  .string()
  .regex(/(^|<)[^\s<>@,]+@[^\s<>@,]+>?$/, 'must hold one address, such as Shop <no-reply@shop.example>.')
const appSecrets = z
  .string('is not set.')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
  .refine((secrets) => secrets.length > 0, 'is not set.')
  .refine((secrets) => secrets.every((secret) => secret.length >= 16), 'must have at least 16 characters.')
const networks = list
  .transform((parts) => parts.map(parseNetwork))
  .refine((all): all is Network[] => !all.includes(null), 'must be networks such as 10.0.0.0/8, comma separated.')
/** As Fastify takes them: three names, addresses, and networks but everybody's. */
const isProxy = (text: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) || (parseNetwork(text) !== null && !/%|\/0*$/.test(text))
const proxies = list.refine(
  (parts) => parts.every(isProxy),
  'must be addresses or networks such as 10.0.0.1 or 10.0.0.0/8, comma separated.',
)

/** Documented in README.md. Refusals continue the variable's name. */
const environment = z
  .object({
    // Misspelt, it would take production's rules away.
    NODE_ENV: oneOf('production', 'development', 'test').optional(),
    DEMO: oneOf('1', '0', 'true', 'false').optional(),
    HOST: listenedAt.default('127.0.0.1'),
    PORT: whole(0, 65535).default(3000),
    PUBLIC_URL: origin.optional(),
    HOST_NAMES: hostNames.optional(),
    DATABASE_URL: databaseUrl,
    DATABASE_OWNER_URL: databaseUrl.optional(),
    PGOPTIONS: z.string().optional(),
    DATABASE_POOL: whole(2, 200).default(10),
    DATABASE_READ_POOL: whole(1, 200).default(8),
    WORKERS: whole(1, 64).default(1),
    RELAY_ADDRESS: z.union([z.ipv4(), z.ipv6()], 'must be an IP address of this machine.').default('127.0.0.1'),
    REMOTE_PING_SECONDS: whole(1, 30).default(remoteLimits.pingSeconds),
    DRAIN_SECONDS: whole(0, 300).optional(),
    BRAKE_NUMBER: whole(1, 1_000_000).default(50),
    BRAKE_PERCENT: whole(0, 100).default(5),
    DATA_DIR: z.string().default('.data'),
    APP_SECRET: appSecrets,
    // May be its page, as merchants are told that.
    EPAY_URL: webPage.optional(),
    EPAY_PID: z.string().optional(),
    EPAY_KEY: z.string().optional(),
    EPAY_CONFIRM: oneOf('query', 'signature').default('query'),
    EPAY_FORMER_URL: webPage.optional(),
    EPAY_FORMER_PID: z.string().optional(),
    EPAY_FORMER_KEY: z.string().optional(),
    EPAY_FORMER_CONFIRM: oneOf('query', 'signature').default('query'),
    TRUST_PROXY: proxies.optional(),
    METRICS_TOKEN: z.string().optional(),
    METRICS_URL: metricAddress.optional(),
    METRICS_WRITE_URL: metricAddress.optional(),
    SMTP_URL: smtpUrl.optional(),
    MAIL_FROM: sender.optional(),
    CONSOLE_ACCESS: oneOf('owners', 'admins').default('owners'),
    LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
    ALLOWED_NETWORKS: networks.optional(),
  })
  .superRefine((env, context) => {
    const refuse = (message: string, ...path: (keyof typeof env)[]) =>
      context.addIssue({ code: 'custom', message, path })
    for (const name of ['EPAY', 'EPAY_FORMER'] as const) {
      const epay = [env[`${name}_URL`], env[`${name}_PID`], env[`${name}_KEY`]]
      if (epay.some(Boolean) && !epay.every(Boolean))
        refuse(`${name}_URL, ${name}_PID and ${name}_KEY belong together; one of them is not set.`)
    }
    if (env.METRICS_WRITE_URL && !env.METRICS_URL) refuse('is of no use without METRICS_URL.', 'METRICS_WRITE_URL')
    if (isDemo(env) && env.WORKERS > 1) refuse('must be 1 with DEMO=1.', 'WORKERS')
    if (env.NODE_ENV === 'production') refuseInProduction(env, refuse)
  })

type Settings = z.infer<typeof environment>

function refuseInProduction(env: Settings, refuse: (message: string, ...path: (keyof Settings)[]) => void): void {
  const isSecure = (url: string) => /^https:\/\//i.test(url)
  if (isDemo(env)) refuse('DEMO=1 is refused when NODE_ENV=production.')
  if (!isSecure(env.PUBLIC_URL ?? '')) refuse('must begin with https:// in production.', 'PUBLIC_URL')
  for (const name of ['EPAY_URL', 'EPAY_FORMER_URL'] as const)
    if (!isSecure(env[name] ?? 'https://')) refuse('must begin with https:// in production.', name)
  const guessable = 'is too easy to guess; make one that is random: openssl rand -base64 32'
  if (env.APP_SECRET.some(isGuessable)) refuse(guessable, 'APP_SECRET')
  if (env.METRICS_TOKEN && isGuessable(env.METRICS_TOKEN)) refuse(guessable, 'METRICS_TOKEN')
}

const secretBits = 80

/** Shannon's entropy: length alone makes no secret. */
function isGuessable(secret: string): boolean {
  const counts = new Map<string, number>()
  for (const letter of secret) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const { length } = [...secret]
  const bits = [...counts.values()].reduce((sum, count) => sum + count * Math.log2(length / count), 0)
  return bits < secretBits
}

const isDemo = ({ DEMO }: { DEMO?: string | undefined }): boolean => DEMO === '1' || DEMO === 'true'

/** Throws ConfigFault (running, "Environment"). */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  // Empty is missing.
  const given = Object.entries(source).map(([name, value]) => [name, value?.trim() || undefined])
  const { data: env, error } = environment.safeParse(Object.fromEntries(given))
  if (error) throw new ConfigFault(sentenceOf(error))
  const production = env.NODE_ENV === 'production'
  const demo = isDemo(env)
  const here = isIP(env.HOST) === 6 ? `[${env.HOST}]` : env.HOST
  const publicUrl = new URL(env.PUBLIC_URL ?? `http://${here}:${env.PORT}`).origin
  return {
    production,
    demo,
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    hostNames: env.HOST_NAMES ?? [],
    databaseUrl: withOptions(env.DATABASE_URL, env.PGOPTIONS),
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? null,
    poolSize: env.DATABASE_POOL,
    readPoolSize: env.DATABASE_READ_POOL,
    workers: env.WORKERS,
    relayAddress: env.RELAY_ADDRESS,
    remotePingSeconds: env.REMOTE_PING_SECONDS,
    drainSeconds: env.DRAIN_SECONDS ?? (production ? 5 : 0),
    brake: { number: env.BRAKE_NUMBER, share: env.BRAKE_PERCENT / 100 },
    dataDir: env.DATA_DIR,
    appSecrets: env.APP_SECRET,
    epay: epayOf(env, 'EPAY'),
    formerEpay: epayOf(env, 'EPAY_FORMER'),
    trustProxy: env.TRUST_PROXY ?? [],
    metricsToken: env.METRICS_TOKEN ?? null,
    metricsUrl: env.METRICS_URL ?? null,
    metricsWriteUrl: env.METRICS_WRITE_URL ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? senderAt(publicUrl),
    consoleAccess: env.CONSOLE_ACCESS,
    logLevel: env.LOG_LEVEL,
    allowedNetworks: env.ALLOWED_NETWORKS ?? (demo ? loopback : []),
  }
}

/** As libpq's programs take them, where the address has none: the shop's own stand behind (`db/address.ts`). */
function withOptions(databaseUrl: string, options: string | undefined): string {
  const address = new URL(databaseUrl)
  if (!options || address.searchParams.has('options')) return databaseUrl
  address.searchParams.set('options', options)
  return address.href
}

function epayOf(env: Settings, name: 'EPAY' | 'EPAY_FORMER'): Epay | null {
  const [url, pid, key] = [env[`${name}_URL`], env[`${name}_PID`], env[`${name}_KEY`]]
  return url && pid && key ? { url, pid, key, confirm: env[`${name}_CONFIRM`] } : null
}

/** The shop's own name: mail from localhost is taken for junk. */
function senderAt(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return `${productName} <no-reply@${isIP(hostname.replaceAll(/[[\]]/g, '')) ? 'localhost' : hostname}>`
}

function sentenceOf({ issues }: z.ZodError): string {
  const [first] = issues
  return [...(first?.path ?? []), first?.message].join(' ')
}
