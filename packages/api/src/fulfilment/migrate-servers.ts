import { cannotMigrate, type MigrationFacts } from '@vps/shared/cold-migrations'
import { openJobStatuses } from '@vps/shared/jobs'
import { sql } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { heldPlace } from '../fleet/placements.js'
import { hostsToMigrateTo } from '../fleet/standby.js'
import { isMigrating } from '../jobs/is-migrating.js'
import { lockOrder } from '../orders/lock-order.js'
import { driverOf } from '../servers/drivers.js'

/** What decides whether server `s` of order `o`, in place `p` on host `h`, may go to another host. */
export const migrationFacts = sql<MigrationFacts>`jsonb_build_object('hostStatus', h.status, 'orderStatus', o.status,
  'isInstalled', s.install_status is not distinct from 'COMPLETED',
  'isInRescue', exists (select from rescues r where r.server_id = s.id),
  'hasIso', exists (select from inserted_isos i where i.server_id = s.id),
  'snapshots', (select count(*) from snapshots n where n.server_id = s.id),
  'isGrowing', exists (select from order_upgrades u where u.order_id = o.id and (u.status = 'PENDING' or u.machine_larger)),
  'isMigrating', ${isMigrating('s.id')},
  'isStored', exists (select from backup_repositories b where b.is_current))`

/** A server with a place, its order and host. */
export const placedServers = (db: Db) =>
  db
    .selectFrom('servers as s')
    .innerJoin('orders as o', 'o.id', 's.order_id')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
    .innerJoin('hosts as h', 'h.id', 'p.host_id')

/** Gives the migration's id. NOT_FOUND, MOVE_NOT_ALLOWED with the reason, NO_STOCK, LOCKED, NOT_SUPPORTED. */
export async function migrateServer(
  tx: Tx,
  admin: User,
  { serverId, hostId }: { serverId: string; hostId: string | null },
  now: Date,
): Promise<string> {
  const found = await tx
    .selectFrom('servers')
    .select(['order_id', 'driver'])
    .where('id', '=', serverId)
    .executeTakeFirst()
  if (!found) fail('NOT_FOUND')
  if (!found.order_id || found.driver !== 'kvm') fail('NOT_SUPPORTED')
  const order = await lockOrder(tx, found.order_id)
  await tx.selectFrom('servers').select('id').where('id', '=', serverId).forUpdate().execute()
  const placed = await placedServers(tx)
    .select(['s.power', migrationFacts.as('facts')])
    .where('s.id', '=', serverId)
    .executeTakeFirst()
  if (!placed) fail('NOT_FOUND')
  const reason = cannotMigrate(placed.facts)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const staysOff = order.status === 'ACTIVE' && placed.power === 'off'
  const { id, hostId: to } = await driverOf(found).migrate(tx, serverId, { hostId, staysOff, askedBy: admin.id }, now)
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, actorOf(admin), { action: 'server.migrate', subject, details: { hostId: to } }, now)
  return id
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

/** Open ones whose stage has ended without a word. */
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
  const server = await tx
    .selectFrom('servers')
    .select(['order_id', 'driver'])
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow()
  if (server.order_id) await lockOrder(tx, server.order_id)
  await tx.selectFrom('servers').select('id').where('id', '=', serverId).forUpdate().execute()
  await driverOf(server).settleMigration(tx, serverId, now)
}
