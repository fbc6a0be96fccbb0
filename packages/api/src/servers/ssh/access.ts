import { sql, type ExpressionBuilder } from 'kysely'
import type { Db } from '../../db/client.js'
import type { DB } from '../../db/schema.generated.js'
import { fail } from '../../errors.js'
import type { Target } from './client.js'
import { must } from '../../must.js'

export type SshAccess = {
  serverId: string
  target: Target
  /** Likeliest first. */
  knownSecretIds: string[]
  ownerSecretId: string
  readAt: Date
}

/** The machine may count each login against us. */
const brokenOffAtMost = 4

/** Locked: the password that locked it. After a broken-off act, perhaps that act's. NOT_FOUND where it was deleted. */
export async function readSshAccess(db: Db, serverId: string): Promise<SshAccess> {
  const found = await db
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
    .select(sql<Date>`clock_timestamp()`.as('readAt'))
    .where('d.server_id', '=', serverId)
    .executeTakeFirst()
  const row = found ?? fail('NOT_FOUND')
  const brokenOff = await db
    .selectFrom('jobs as j')
    .select('j.secret_id')
    .where('j.server_id', '=', serverId)
    .where('j.order_id', 'is not distinct from', row.order_id)
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
    readAt: row.readAt,
  }
}

/** The machine may have its password: no later job was heard to set one. */
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
