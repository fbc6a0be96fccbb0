import type { User } from '../actor.js'
import type { Db } from '../db/client.js'
import type { Deps } from '../deps.js'

export type Context = {
  deps: Deps
  /** For reads in a query, else for commands. */
  db: Db
  now: () => Date
  user: User | null
  /** Null over HTTP. */
  socket: { admit(signal: AbortSignal | undefined): Promise<User>; isSomebodys(): Promise<boolean> } | null
  /** Behind trusted proxies only. */
  address: string
  userAgent: string | null
  /** For reads that cannot carry a header; null clears it. */
  setSessionCookie(token: string | null): void
  /** A closed browser forgets cookies, and keeps its token. */
  renewSessionCookie(): void
}

export type SignedInContext = Context & { user: User }
