import { sql, type ExpressionBuilder } from 'kysely'
import type { Db, Tx } from '../../db/client.js'
import type { DB } from '../../db/schema.generated.js'
import { publish } from '../../db/tx.js'
import type { Figures } from './commands.js'
import type { Target } from './client.js'
import { createLoginSample } from '../samples.js'
import { must } from '../../must.js'

export type SshAccess = {
  serverId: string
  target: Target
  /** Passwords that it may have, likeliest first. */
  knownSecretIds: string[]
  ownerSecretId: string
}

/** How many passwords of broken-off acts are tried: each is a login that the machine may count against us. */
const brokenOffAtMost = 4

/**
 * How to log in to a dedicated server: while it is locked, with the password that locked it. Where an act broke off
 * after it had set a password, but before we heard of it, that one may be what the machine has.
 */
export async function readSshAccess(db: Db, serverId: string): Promise<SshAccess> {
  const row = await db
    .selectFrom('dedicated_servers as d')
    .innerJoin('servers as s', 's.id', 'd.server_id')
    .select([
      'd.server_id',
      'd.ip',
      'd.port',
      's.username',
      'd.host_key',
      's.secret_id',
      'd.locked_secret_id',
      's.order_id',
    ])
    .where('d.server_id', '=', serverId)
    .executeTakeFirstOrThrow()
  const brokenOff = await db
    .selectFrom('jobs as j')
    .select('j.secret_id')
    .where('j.server_id', '=', serverId)
    .where('j.order_id', '=', row.order_id)
    .where('j.secret_id', 'is not', null)
    .where('j.attempt', '>', 0)
    .where(mayHaveSet)
    .groupBy('j.secret_id')
    .orderBy((eb) => eb.fn.max('j.created_at'), 'desc')
    .limit(brokenOffAtMost)
    .execute()
  const known = [row.locked_secret_id, row.secret_id, ...brokenOff.map((job) => job.secret_id)]
  return {
    serverId: row.server_id,
    target: { host: row.ip, port: row.port, username: row.username, hostKey: row.host_key },
    knownSecretIds: [...new Set(known.filter((id) => id !== null))],
    ownerSecretId: must(row.secret_id),
  }
}

/** A job after which no other was heard to have set a password: the machine may have the one that it brought. */
export function mayHaveSet({ not, exists, selectFrom }: ExpressionBuilder<DB & { j: DB['jobs'] }, 'j'>) {
  return not(
    exists(
      selectFrom('jobs as later')
        .select('later.id')
        .whereRef('later.server_id', '=', 'j.server_id')
        .whereRef('later.created_at', '>', 'j.created_at')
        .where('later.status', '=', 'SUCCEEDED')
        .where(sql`later.payload->>'ssh'`, 'in', ['set-up', 'reset-password', 'lock', 'unlock']),
    ),
  )
}

const atOnce = 50
/** Under the minute after which what was seen counts as old, so that a machine that answers never looks silent. */
const everySeconds = 45
/** After an act on it nobody knows when it is back: it is asked again and again for a while. */
const inDoubt = { everySeconds: 5, forSeconds: 180 }

/**
 * Dedicated servers whose test is due, those for sale and sold ones that were reached before: not tried for 45 s, or
 * their state is in doubt after an act. Whoever gets them here tries them; another process does not.
 */
export async function claimUntested(tx: Tx): Promise<string[]> {
  // A server is locked before what it has as a dedicated one, as everywhere.
  const { rows } = await sql<{
    id: string
  }>`update dedicated_servers set test_begun_at = clock_timestamp() where server_id in (
      select s.id from dedicated_servers d join servers s on s.id = d.server_id where not d.needs_cleaning and s.secret_id is not null
        and (not d.is_sold or d.host_key is not null)
        and (coalesce(greatest(s.ssh_checked_at, d.test_begun_at), '-infinity') < clock_timestamp() - make_interval(secs => ${everySeconds})
          or (s.power <> 'on' and coalesce(d.test_begun_at, '-infinity') < clock_timestamp() - make_interval(secs => ${inDoubt.everySeconds})
            and exists (select from jobs j where j.server_id = s.id and j.host_id is null and j.kind in ('restart', 'install', 'resetPassword')
              and j.finished_at > clock_timestamp() - make_interval(secs => ${inDoubt.forSeconds}))))
      order by s.ssh_checked_at nulls first limit ${atOnce} for update skip locked)
    returning server_id as id`.execute(tx)
  return rows.map((row) => row.id)
}

/** What a test saw: reachable with figures, or not. The first host key is remembered. */
export async function finishTest(tx: Tx, serverId: string, figures: Figures | null): Promise<void> {
  const power = figures ? 'on' : 'unknown'
  publish(tx, { shop: 'server' })
  await tx
    .updateTable('servers')
    .set({
      ssh_connectable: figures !== null,
      ssh_checked_at: sql`clock_timestamp()`,
      power_changed_at: sql`case when power = ${power} then power_changed_at else clock_timestamp() end`,
      power,
    })
    .where('id', '=', serverId)
    .execute()
  if (!figures) return
  await tx
    .updateTable('dedicated_servers')
    .set({ host_key: figures.hostKey })
    .where('server_id', '=', serverId)
    .where('host_key', 'is', null)
    .execute()
  await createLoginSample(tx, serverId, figures)
}
