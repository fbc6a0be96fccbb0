import { noFirewall, type Firewall } from '@vps/shared/firewall'
import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { presentEpoch } from '../../jobs/epoch.js'

/**
 * Hosts keep what is newer: after a restored back-up each revision is above theirs. Epochs are minutes, in which nobody
 * saves a hundred times; before, they were counted.
 */
const floor = sql<number>`greatest(least(${presentEpoch}, 40) * 1000000, ${presentEpoch} * 100)`

/**
 * What its owner saves (decision 0102). Gives the new revision. CONFLICT where not made from the last; 0: the first.
 */
export async function saveFirewall(
  tx: Tx,
  { serverId, seen, firewall }: { serverId: string; seen: number; firewall: Firewall },
  now: Date,
): Promise<number> {
  const revision = sql<number>`greatest(${seen}::int, ${floor}) + 1`
  const set = { firewall: JSON.stringify(firewall), revision, updated_at: now }
  const saved =
    seen === 0
      ? await tx
          .insertInto('firewalls')
          .values({ server_id: serverId, ...set })
          .onConflict((conflict) => conflict.doNothing())
          .returning('revision')
          .executeTakeFirst()
      : await tx
          .updateTable('firewalls')
          .set(set)
          .where('server_id', '=', serverId)
          .where('revision', '=', seen)
          .returning('revision')
          .executeTakeFirst()
  return saved?.revision ?? fail('CONFLICT')
}

/** What its owner sees, as its host follows it; none: all passes. */
export async function savedAgain(
  tx: Tx,
  serverId: string,
  now: Date,
): Promise<{ revision: number; firewall: Firewall }> {
  const saved = await tx
    .updateTable('firewalls')
    .set({ revision: sql<number>`greatest(revision, ${floor} + 1)` })
    .where('server_id', '=', serverId)
    .returning(['revision', 'firewall'])
    .executeTakeFirst()
  return (
    saved ?? {
      revision: await saveFirewall(tx, { serverId, seen: 0, firewall: noFirewall }, now),
      firewall: noFirewall,
    }
  )
}

/** Its host has this, or told a newer one before. */
export async function markApplied(tx: Tx, serverId: string, revision: number): Promise<void> {
  await tx
    .updateTable('firewalls')
    .set({ applied_revision: sql<number>`greatest(applied_revision, ${revision})` })
    .where('server_id', '=', serverId)
    .where('revision', '>=', revision)
    .execute()
}

/** Server `s`: its host lacks what was saved last. */
export const isFirewallBehind = sql<boolean>`exists (select from firewalls f
  where f.server_id = s.id and f.revision > coalesce(f.applied_revision, 0))`

/** The same of a server. */
export async function lacksRules(tx: Tx, serverId: string): Promise<boolean> {
  const server = await tx
    .selectFrom('servers as s')
    .select(isFirewallBehind.as('is'))
    .where('s.id', '=', serverId)
    .executeTakeFirst()
  return server?.is === true
}

/** On another host, which knows none of them. */
export async function applyAnew(tx: Tx, serverId: string): Promise<void> {
  await tx.updateTable('firewalls').set({ applied_revision: null }).where('server_id', '=', serverId).execute()
}

/** With its machine. */
export async function forgetFirewall(tx: Tx, serverId: string): Promise<void> {
  await tx.deleteFrom('firewalls').where('server_id', '=', serverId).execute()
}
