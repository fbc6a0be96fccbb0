import { cannotBegin, cannotMigrate, type MigrationFacts } from '@vps/shared/cold-migrations'
import { openJobStatuses } from '@vps/shared/jobs'
import { goingBack } from '@vps/shared/migration-words'
import * as text from '@vps/shared/text'
import { sql } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { heldPlace } from '../fleet/placements.js'
import { hostsToMigrateTo, isForsaken } from '../fleet/standby.js'
import { isMigrating } from '../jobs/is-migrating.js'
import { hasBusyHere } from '../jobs/is-open.js'
import { lockOrder } from '../orders/lock-order.js'
import { driverOf } from '../servers/drivers.js'
import { callOffJob } from './steer-jobs.js'

/** What decides whether server `s` of order `o`, in place `p` on host `h`, may go to another host. */
export const migrationFacts = sql<MigrationFacts>`jsonb_build_object('hostStatus', h.status, 'orderStatus', o.status,
  'isInstalled', s.install_status is not distinct from 'COMPLETED',
  'isInRescue', exists (select from rescues r where r.server_id = s.id),
  'hasIso', exists (select from inserted_isos i where i.server_id = s.id),
  'snapshots', (select count(*) from snapshots n where n.server_id = s.id),
  'isGrowing', exists (select from order_upgrades u where u.order_id = o.id and (u.status = 'PENDING' or u.machine_larger)),
  'isMigrating', ${isMigrating('s.id')},
  'isWaiting', exists (select from cold_migrations w where w.server_id = s.id and w.stage = 'WAITING'),
  'isStored', exists (select from backup_repositories b where b.is_current))`

/** Not on, as its owner wants: neither crashed nor failed to start. */
const staysOff = sql<boolean>`(s.power = 'off' and o.status = 'ACTIVE'
  and not exists (select from findings f where f.host_id = h.id and f.kind = 'crashed-domain' and f.subject = s.id::text and f.resolved_at is null)
  and (select (j.kind, j.status) = ('start', 'FAILED') from jobs j where j.server_id = s.id and j.host_id = h.id
    order by j.created_at desc, j.id desc limit 1) is not true)`

/** A server with a place, its order and host. */
export const placedServers = (db: Db) =>
  db
    .selectFrom('servers as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
    .innerJoin('hosts as h', 'h.id', 'p.host_id')

/** Once its turn has come. Gives the migration's id. NOT_FOUND, MOVE_NOT_ALLOWED with the reason, NO_STOCK, NOT_SUPPORTED. */
export async function migrateServer(
  tx: Tx,
  admin: User,
  { serverId, hostId }: { serverId: string; hostId: string | null },
  now: Date,
): Promise<string> {
  const { driver, placed } = await lockServer(tx, serverId)
  if (!placed) fail('NOT_FOUND')
  const reason = cannotMigrate(placed.facts)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const id = await driver.migrate(tx, serverId, { hostId, askedBy: admin.id }, now)
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, actorOf(admin), { action: 'server.migrate', subject, details: { hostId } }, now)
  return id
}

/** Order, then server (docs/money.md). NOT_FOUND, NOT_SUPPORTED for one that is no virtual machine of an order. */
async function lockServer(tx: Tx, serverId: string) {
  const server = await tx
    .selectFrom('servers')
    .select(['order_id', 'driver'])
    .where('id', '=', serverId)
    .executeTakeFirst()
  if (!server) fail('NOT_FOUND')
  if (!server.order_id || server.driver !== 'kvm') fail('NOT_SUPPORTED')
  await lockOrder(tx, server.order_id)
  await tx.selectFrom('servers').select('id').where('id', '=', serverId).forUpdate().execute()
  const placed = await placedServers(tx)
    .select([staysOff.as('staysOff'), migrationFacts.as('facts')])
    .where('s.id', '=', serverId)
    .executeTakeFirst()
  return { driver: driverOf(server), placed }
}

/**
 * The next of each host none of whose servers is off for it. Not while something else is done to it: those behind it go
 * first then.
 */
export async function findMigrationsToBegin(db: Db, _now: Date, batch: Batch): Promise<string[]> {
  const rows = await waiting(db).where(outside(batch, 'm.server_id')).limit(batch.limit).execute()
  return rows.map((row) => row.server_id)
}

function waiting(db: Db) {
  return db
    .selectFrom('cold_migrations as m')
    .select('m.server_id')
    .where('m.stage', '=', 'WAITING')
    .where(({ not }) => not(hasBusyHere('m.server_id')))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('cold_migrations as o')
            .select('o.id')
            .whereRef('o.from_host_id', '=', 'm.from_host_id')
            .where((eb) =>
              eb.or([
                eb('o.stage', 'in', ['STOPPING', 'SAVING', 'RESTORING']),
                eb.and([
                  eb('o.stage', '=', 'WAITING'),
                  sql<boolean>`(o.created_at, o.id) < (m.created_at, m.id)`,
                  eb.not(hasBusyHere('o.server_id')),
                ]),
              ]),
            ),
        ),
      ),
    )
}

/** Another process may have seen another of its host's servers idle. */
async function lockTurn(tx: Tx, serverId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('migrations:' || from_host_id)) from cold_migrations
    where server_id = ${serverId} and stage = 'WAITING'`.execute(tx)
}

/** Looks again at all that may have changed while it waited. */
export async function beginWaiting(tx: Tx, serverId: string, now: Date): Promise<void> {
  const { driver, placed } = await lockServer(tx, serverId)
  await lockTurn(tx, serverId)
  if (!(await waiting(tx).where('m.server_id', '=', serverId).executeTakeFirst())) return
  const refusal = placed ? cannotBegin(placed.facts) : null
  await driver.beginMigration(tx, serverId, { refusal, staysOff: placed?.staysOff === true }, now)
}

/** One that waits or has begun; its server stays, or goes back. NOT_FOUND, MOVE_NOT_ALLOWED where it is on its way back. */
export async function cancelMigration(tx: Tx, admin: User, serverId: string, now: Date): Promise<void> {
  const { driver } = await lockServer(tx, serverId)
  const open = await tx
    .selectFrom('cold_migrations')
    .select(['stage', 'job_id'])
    .where('server_id', '=', serverId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!open) fail('NOT_FOUND')
  if (open.stage === 'RETURNING') fail('MOVE_NOT_ALLOWED', { message: goingBack })
  if (open.job_id) await callOffJob(tx, admin, open.job_id, now)
  else await driver.beginMigration(tx, serverId, { refusal: text.cancelledByAdmin, staysOff: false }, now)
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, actorOf(admin), { action: 'server.cancel-migration', subject }, now)
}

/** Where it may go now, the best first. NOT_FOUND. */
export async function listMigrationHosts(db: Db, serverId: string): Promise<{ id: string; name: string }[]> {
  const place = await heldPlace(db, serverId).executeTakeFirst()
  const server = await db
    .selectFrom('servers')
    .select(['group_id as groupId', 'user_id as customerId', 'bandwidth_mbps as bandwidthMbps'])
    .where('id', '=', serverId)
    .executeTakeFirst()
  if (!place || !server) fail('NOT_FOUND')
  const hosts = await hostsToMigrateTo(db, { ...place, ...server })
  const named = await db
    .selectFrom('hosts')
    .select(['id', 'name'])
    .where('id', 'in', hosts.length > 0 ? hosts.map(({ id }) => id) : [place.hostId])
    .execute()
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return hosts.map(({ id }) => ({ id, name: names.get(id) ?? id }))
}

/** Open ones whose stage has ended without a word, or will not begin. */
export async function findUnsettledMigrations(db: Db, _now: Date, batch: Batch): Promise<string[]> {
  const rows = await db
    .selectFrom('cold_migrations as m')
    .innerJoin('jobs as j', 'j.id', 'm.job_id')
    .innerJoin('hosts as h', 'h.id', 'j.host_id')
    .innerJoin('placements as t', 't.id', 'm.to_id')
    .select('m.server_id')
    .where('m.ended_at', 'is', null)
    .where(({ eb, and, or }) =>
      or([
        and([
          eb('m.stage', '<>', 'RETURNING'),
          or([eb('j.status', 'not in', openJobStatuses), eb('h.status', '=', 'LOST')]),
        ]),
        and([eb('m.stage', '=', 'RESTORING'), isForsaken]),
        and([eb('m.stage', '=', 'RETURNING'), or([eb('t.state', '=', 'freed'), eb('t.destroyed_at', 'is not', null)])]),
      ]),
    )
    .where(outside(batch, 'm.server_id'))
    .orderBy('m.created_at')
    .limit(batch.limit)
    .execute()
  return rows.map((row) => row.server_id)
}

export async function settle(tx: Tx, serverId: string, now: Date): Promise<void> {
  const { driver } = await lockServer(tx, serverId)
  await driver.settleMigration(tx, serverId, now)
}
