import type { ErrorCode } from '@vps/shared/errors'
import type { Logger } from 'pino'
import type { Refusal } from './errors.js'
import { addressBlock, plainAddress } from './rate-limits.js'

/** What an attacker would be told. */
const telling: readonly ErrorCode[] = [
  'WRONG_CREDENTIALS',
  'ACCOUNT_SUSPENDED',
  'WRONG_CURRENT_PASSWORD',
  'WRONG_CODE',
  'FORBIDDEN',
  'CONSOLE_DENIED',
  'TOO_MANY_REQUESTS',
]

type Caller = { deps: { log: Logger }; now: () => Date; user: { id: string } | null; address: string }

/**
 * A line marked `security` per failed sign-in, refused right, wrong code and 429. Accounts by id, never what was typed:
 * it may be a password.
 */
export function logRefusal(caller: Caller, call: string, { code, details }: Refusal): void {
  if (!telling.includes(code) || (code === 'TOO_MANY_REQUESTS' && isToldEnough(caller))) return
  const { deps, user, address } = caller
  deps.log.warn({ security: code, call, address, account: user?.id ?? details.about ?? null }, 'refused')
}

const linesAMinute = 60
const written = new WeakMap<Logger, { minute: number; lines: Map<string, number> }>()

/** Who is refused for coming too often comes on: the lines would fill the disk instead. Of each address. */
function isToldEnough({ deps, now, address }: Caller): boolean {
  const minute = Math.floor(now().getTime() / 60_000)
  const last = written.get(deps.log)
  const { lines } = last?.minute === minute ? last : { lines: new Map<string, number>() }
  const of = addressBlock(plainAddress(address || undefined))
  const count = (lines.get(of) ?? 0) + 1
  written.set(deps.log, { minute, lines: lines.set(of, count) })
  return count > linesAMinute
}

const told = new WeakSet<Refusal>()

/** What the database could not do: full, read only, out of time. Once, wherever it is caught. */
export function logUnserved(log: Pick<Logger, 'error'>, call: string, refusal: Refusal): void {
  if (!refusal.details.cause || told.has(refusal)) return
  told.add(refusal)
  log.error({ err: refusal.details.cause, call }, 'the database did not do it')
}
