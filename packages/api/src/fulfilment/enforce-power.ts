import { powerFreshSeconds } from '@vps/shared/servers'
import { sql, type ExpressionBuilder } from 'kysely'
import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import type { DB } from '../db/schema.generated.js'
import { askServer } from '../servers/drivers.js'
import { lockDueOrder } from '../orders/lock-order.js'
import { servedStatuses } from '@vps/shared/orders'
import { isReachable } from '../fleet/observed.js'
import { isBusyHere } from '../jobs/is-open.js'

/** For a refusing host. */
const pauseMinutes = 10
const before = (now: Date) => new Date(now.getTime() - pauseMinutes * 60_000)

/**
 * Suspended but running, or back but off as its start failed, as seen within the last minute; what the owner stopped
 * stays off. A dedicated server is locked instead: it disobeys until that is confirmed, and is asked when reachable.
 */
export async function findPowerMismatches(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const running = seen(db, 'on')
    .where('o.status', '=', 'SUSPENDED')
    .where(quietSince(before(now)))
    .where(outside(batch, 'o.id'))
    .limit(batch.limit)
    .execute()
  const off = seen(db, 'off')
    .innerJoin('jobs as f', 'f.server_id', 's.id')
    .where('o.status', '=', 'ACTIVE')
    .where('f.kind', '=', 'start')
    .where('f.status', '=', 'FAILED')
    .where('f.asked_by', 'is', null)
    .where('f.finished_at', '>', new Date(now.getTime() - 86_400_000))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as n')
            .select('n.id')
            .whereRef('n.server_id', '=', 's.id')
            .whereRef('n.created_at', '>', 'f.created_at'),
        ),
      ),
    )
    .where(quietSince(before(now)))
    .where(outside(batch, 'o.id'))
    .limit(batch.limit)
    .execute()
  const unlocked = selectUnconfirmed(db)
    .where(quietSince(before(now)))
    .where(outside(batch, 'o.id'))
    .limit(batch.limit)
    .execute()
  const found = await Promise.all([running, off, unlocked])
  return found.flat().map((order) => order.id)
}

/** Asks again for what the order's state demands. */
export async function repeatPower(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, ...servedStatuses)
  if (!order?.server_id) return
  const quiet = quietSince(before(now))
  const power = order.status === 'SUSPENDED' ? 'on' : 'off'
  const still =
    (await seen(tx, power).where('o.id', '=', id).where(quiet).executeTakeFirst()) ??
    (await selectUnconfirmed(tx).where('o.id', '=', id).where(quiet).executeTakeFirst())
  if (!still) return
  const kind = order.status === 'SUSPENDED' ? 'suspend' : 'resume'
  if (!(await askServer(tx, order.server_id, { act: { kind }, orderId: id }, now))) return
  const action = order.status === 'SUSPENDED' ? 'server.stop-again' : 'server.start-again'
  await recordAudit(tx, timer, { action, subject: { kind: 'server', id: order.server_id } }, now)
}

function seen(db: Db, power: 'on' | 'off') {
  const fresh = sql<Date>`clock_timestamp() - make_interval(secs => ${powerFreshSeconds})`
  return db
    .selectFrom('orders as o')
    .innerJoin('servers as s', 's.id', 'o.server_id')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
    .innerJoin('host_heartbeats as h', 'h.host_id', 'p.host_id')
    .select('o.id')
    .where('s.power', '=', power)
    .where('h.inventory_at', '>', fresh)
}

/**
 * Reached by the last test, but its last lock or unlock is not the one ordered, is unconfirmed, or was undone as the
 * machine was made anew (no `locked_secret_id`). Else by the job alone: what a broken-off try did is unknown.
 */
function selectUnconfirmed(db: Db) {
  return db
    .selectFrom('orders as o')
    .innerJoin('servers as s', 's.id', 'o.server_id')
    .innerJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('jobs as l')
          .select([sql<string>`l.payload->>'ssh'`.as('act'), 'l.status'])
          .whereRef('l.server_id', '=', 's.id')
          .whereRef('l.order_id', '=', 'o.id')
          .where(sql`l.payload->>'ssh'`, 'in', ['lock', 'unlock'])
          .orderBy('l.created_at', 'desc')
          .orderBy('l.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select('o.id')
    .where(isReachable('s'))
    .where((eb) =>
      eb.or([
        eb.and([
          eb('o.status', '=', 'SUSPENDED'),
          eb.or([
            eb(sql`(last.act, last.status)`, 'is distinct from', sql`('lock', 'SUCCEEDED')`),
            eb('d.locked_secret_id', 'is', null),
          ]),
        ]),
        eb.and([
          eb('o.status', '=', 'ACTIVE'),
          eb('last.act', 'is not', null),
          eb(sql`(last.act, last.status)`, 'is distinct from', sql`('unlock', 'SUCCEEDED')`),
        ]),
      ]),
    )
}

function quietSince(moment: Date) {
  return ({ not, exists, selectFrom }: ExpressionBuilder<DB & { s: DB['servers'] }, 's'>) =>
    not(
      exists(
        selectFrom('jobs as j')
          .select('j.id')
          .whereRef('j.server_id', '=', 's.id')
          .where((eb) => eb.or([isBusyHere('j'), eb('j.created_at', '>', moment)])),
      ),
    )
}
