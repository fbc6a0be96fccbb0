import type { User } from '../actor.js'
import type { Db } from '../db/client.js'
import type { Deps } from '../deps.js'

/** What every procedure gets. */
export type Context = {
  deps: Deps
  /** Over the connections for reads in a query, over those for commands in all else. */
  db: Db
  now: () => Date
  user: User | null
  /** The connection of a subscription, which says who it is now; null over HTTP. */
  socket: { admit(signal: AbortSignal | undefined): Promise<User>; isSomebodys(): Promise<boolean> } | null
  /** Where the call came from, behind trusted proxies only. */
  address: string
  userAgent: string | null
  /** Sign-in also sets a cookie that authenticates reads which cannot carry a header; null clears it. */
  setSessionCookie(token: string | null): void
}

/** The context behind `signedIn`. */
export type SignedInContext = Context & { user: User }
