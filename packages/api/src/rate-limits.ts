import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import type { User } from './actor.js'
import type { Db, Tx } from './db/client.js'
import { fail } from './errors.js'

export type Limit = { calls: number; seconds: number }

/** Decisions, "Access", and decision 0024. Refused calls count too. */
export const limits = {
  signInPerAccount: { calls: 10, seconds: 60 },
  signInPerAddress: { calls: 60, seconds: 60 },
  /** Addresses new to the account; then slowly, never stopped. */
  signInFromElsewhere: { calls: 30, seconds: 300 },
  signInSlowly: { calls: 5, seconds: 10 },
  currentPasswordPerAccount: { calls: 10, seconds: 300 },
  /** Of six digits, each of which one in 300,000 opens; recovery codes are long enough. */
  secondFactorPerAccount: { calls: 10, seconds: 1800 },
  forgotPerAddress: { calls: 30, seconds: 300 },
  resetPerAccount: { calls: 10, seconds: 300 },
  resetPerAddress: { calls: 60, seconds: 300 },
  /** Each writes to two addresses, whoever's. */
  emailChangePerUser: { calls: 10, seconds: 3600 },
  emailChangePerAddress: { calls: 30, seconds: 3600 },
  /** Each tells whether somebody has the name. */
  usernameChangePerUser: { calls: 10, seconds: 3600 },
  usernameChangePerAddress: { calls: 30, seconds: 3600 },
  remotePerUser: { calls: 60, seconds: 60 },
  reverseNamePerUser: { calls: 60, seconds: 60 },
  quotePerAddress: { calls: 240, seconds: 60 },
  registerPerAddress: { calls: 20, seconds: 300 },
} as const satisfies Record<string, Limit>

/**
 * IPv4 as such; without an interface's name, and the port that some proxies write beside it. Of who has left, Node knows
 * none.
 */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return '::'
  const [, six, four] = /^(?:\[(.+)\]|([\d.]+)):\d+$/.exec(address) ?? []
  const [plain = ''] = (six ?? four ?? address).split('%')
  return ipaddr.isValid(plain) ? ipaddr.process(plain).toString() : address
}

/** An IPv4 address, or an IPv6 customer's /64. */
export function addressBlock(address: string): string {
  const parsed = ipaddr.parse(plainAddress(address))
  if (parsed.kind() === 'ipv4') return `${parsed.toString()}/32`
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}

/** In each process. */
const actsPerUser: Limit = { calls: 300, seconds: 60 }

export type CountAct = (user: Pick<User, 'id' | 'role'>, now: Date) => void

/**
 * What a customer changes: each leaves rows for good, and costs nothing. Staff is not counted. In memory, so that no act
 * waits for a statement of it. TOO_MANY_REQUESTS.
 */
export function openActCounts(): CountAct {
  let [start, calls] = [0, new Map<string, number>()]
  return (user, now) => {
    if (user.role === 'ADMIN') return
    const window = windowOf(actsPerUser, now)
    if (window.start !== start) [start, calls] = [window.start, new Map()]
    const called = (calls.get(user.id) ?? 0) + 1
    calls.set(user.id, called)
    if (called > actsPerUser.calls) fail('TOO_MANY_REQUESTS', { retryAfterSeconds: secondsTo(window.end, now) })
  }
}

function windowOf({ seconds }: Limit, now: Date) {
  const windowMs = seconds * 1000
  const start = Math.floor(now.getTime() / windowMs) * windowMs
  return { start, end: start + windowMs }
}

const secondsTo = (ms: number, now: Date) => Math.ceil((ms - now.getTime()) / 1000)

/** TOO_MANY_REQUESTS. */
export async function countCall(db: Db, name: keyof typeof limits, subject: string, now: Date): Promise<void> {
  const { left, retryAfterSeconds } = await consumeCall(db, name, subject, now)
  if (left < 0) fail('TOO_MANY_REQUESTS', { retryAfterSeconds })
}

/** Gives how many are left, and the window's end. */
export async function consumeCall(db: Db, name: keyof typeof limits, subject: string, now: Date) {
  const { start, end } = windowOf(limits[name], now)
  const row = await db
    .insertInto('rate_limits')
    .values({ key: `${name}:${subject}`, window_start: new Date(start), window_end: new Date(end), calls: 1 })
    .onConflict((conflict) =>
      conflict.columns(['key', 'window_start']).doUpdateSet({ calls: sql`rate_limits.calls + 1` }),
    )
    .returning('calls')
    .executeTakeFirstOrThrow()
  return { left: limits[name].calls - row.calls, retryAfterSeconds: secondsTo(end, now) }
}

/** Windows that ended before a moment. */
export async function deleteRateLimits(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('rate_limits').where('window_end', '<', before).execute()
}
