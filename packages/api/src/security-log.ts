import type { ErrorCode } from '@vps/shared/errors'
import type { Logger } from 'pino'
import type { Refusal } from './errors.js'

/** What somebody who attacks would be told. */
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
 * The security log: one line, marked `security`, for each failed sign-in, refusal of rights, wrong code and 429. It
 * names accounts by id and never what was typed, which may be a password in the wrong field.
 */
export function logRefusal({ deps, user, address }: Caller, call: string, { code, details }: Refusal): void {
  if (!telling.includes(code)) return
  deps.log.warn({ security: code, call, address, account: user?.id ?? details.about ?? null }, 'refused')
}
