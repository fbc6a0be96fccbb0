import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { normalized } from '@vps/shared/normalized'
import { fail } from '../errors.js'

/** argon2id, the OWASP minimum of 2024 (19 MiB, two passes): the library's defaults, written out as policy. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Gives a PHC string. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost))
}

let nobodys: Promise<string> | undefined

/** Of a password that nobody knows. */
export const hashOfNobody = (): Promise<string> => (nobodys ??= hash(randomBytes(32), cost))

/** Normalised, as contracts give a chosen one, or as typed, where that differs. As slow with no hash (no such user). */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await hashOfNobody())
  const right = await inTurn(async () => {
    for (const form of new Set([normalized(password), password])) if (await verify(against, form)) return true
    return false
  })
  return right && stored !== null
}

/** More at once would take every core; more waiting is refused. */
const [atOnce, waitingAtMost] = [2, 32]
let running = 0
const waiting: (() => void)[] = []

/** TOO_MANY_REQUESTS. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running++
  else if (waiting.length >= waitingAtMost) fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    // The place is never free in between.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
