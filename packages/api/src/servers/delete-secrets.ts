import type { ExpressionBuilder } from 'kysely'
import type { Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import type { DB } from '../db/schema.generated.js'
import { deleteJobSecrets } from '../jobs/secrets.js'
import { deleteUnneeded } from '../secrets/secrets.js'
import { mayHaveSet } from './ssh/access.js'

const keptHours = 24

/**
 * Forgets passwords a day after their job's end, except those that a living server has or is locked with, a broken-off
 * act may have set on a dedicated server, or a retry needs; deletes those without references. Locks passwords first,
 * for many processes. Gives how many.
 */
export async function deleteJobPasswords(
  tx: Tx,
  now: Date,
  atOnce: number,
  ofEndedOrders: readonly string[],
): Promise<number> {
  const found = await outlived(tx, now).limit(atOnce).execute()
  const secretIds = found.flatMap((job) => job.secret_id ?? [])
  const locked = await tx
    .selectFrom('machine_secrets')
    .select('id')
    .where(isOneOf('id', secretIds))
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  const mine = locked.map(({ id }) => id)
  // Servers before jobs (docs/money.md).
  await tx
    .updateTable('servers')
    .set({ secret_id: null })
    .where('released_at', '<', before(now))
    .where(isOneOf('secret_id', mine))
    .execute()
  // Again under the lock: a retry may have come between.
  const foundIds = found.map((job) => job.id)
  const still = await outlived(tx, now)
    .where(isOneOf('j.id', foundIds))
    .where(isOneOf('j.secret_id', mine))
    .forUpdate('j')
    .skipLocked()
    .execute()
  const jobIds = still.map((job) => job.id)
  await deleteJobSecrets(tx, jobIds)
  return deleteUnneeded(tx, [...new Set([...mine, ...ofEndedOrders])])
}

const before = (now: Date) => new Date(now.getTime() - keptHours * 3600_000)

function outlived(tx: Tx, now: Date) {
  return tx
    .selectFrom('jobs as j')
    .innerJoin('servers as s', 's.id', 'j.server_id')
    .leftJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .select(['j.id', 'j.secret_id'])
    .where('j.secret_id', 'is not', null)
    .where('j.finished_at', '<', before(now))
    .where((eb) =>
      eb.or([
        eb('s.released_at', '<', before(now)),
        eb.and([
          eb('j.secret_id', 'is distinct from', eb.ref('s.secret_id')),
          eb('j.secret_id', 'is distinct from', eb.ref('d.locked_secret_id')),
          eb.not(mayBeRetried(eb)),
        ]),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('j.host_id', 'is not', null),
        eb('s.released_at', 'is not', null),
        eb('j.order_id', 'is distinct from', eb.ref('s.order_id')),
        eb.not(mayHaveSet(eb)),
      ]),
    )
    .orderBy('j.finished_at')
}

function mayBeRetried({ and, not, exists, selectFrom, eb }: ExpressionBuilder<DB & { j: DB['jobs'] }, 'j'>) {
  const newer = selectFrom('jobs as n')
    .select('n.id')
    .whereRef('n.server_id', '=', 'j.server_id')
    .whereRef('n.host_id', 'is not distinct from', 'j.host_id')
    .whereRef('n.id', '>', 'j.id')
  return and([eb('j.status', 'in', ['FAILED', 'CANCELLED']), not(exists(newer))])
}
