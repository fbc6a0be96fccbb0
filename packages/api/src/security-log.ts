import type { ErrorCode } from '@vps/shared/errors'
import type { Logger } from 'pino'
import type { Refusal } from './errors.js'

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

type Caller = { deps: { log: Logger }; user: { id: string } | null; address: string }

/**
 * A line marked `security` per failed sign-in, refused right, wrong code and 429. Accounts by id, never what was typed:
 * it may be a password.
 */
export function logRefusal({ deps, user, address }: Caller, call: string, { code, details }: Refusal): void {
  if (!telling.includes(code)) return
  deps.log.warn({ security: code, call, address, account: user?.id ?? details.about ?? null }, 'refused')
}

const told = new WeakSet<Refusal>()

/** What the database could not do: full, read only, out of time. Once, wherever it is caught. */
export function logUnserved(log: Pick<Logger, 'error'>, call: string, refusal: Refusal): void {
  if (!refusal.details.cause || told.has(refusal)) return
  told.add(refusal)
  log.error({ err: refusal.details.cause, call }, 'the database did not do it')
}
