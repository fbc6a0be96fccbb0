import pg from 'pg'

/**
 * Of every connection, whatever its database or role was set to: node-pg reads no other dates, and commands lock. A wait
 * that a lock's own limit ended would be told as the same call twice (`errors.ts`); a statement has its limit. Whoever
 * listens says nothing for long.
 */
const ours = String.raw`-c datestyle=ISO -c default_transaction_isolation=read\ committed -c lock_timeout=0 -c idle_session_timeout=0`
pg.defaults.options = ours

/** A database's address with our options behind the operator's own, which would stand in their place. */
export function withOurOptions(connectionString: string): string {
  const address = new URL(connectionString)
  address.searchParams.set('options', `${address.searchParams.get('options') ?? ''} ${ours}`.trim())
  return address.href
}
