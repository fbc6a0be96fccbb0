import type { BackupOrigin, BackupPlaces } from '@vps/shared/backups'
import { backupKeptDays } from '@vps/shared/backups'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { deleteUnneeded } from '../secrets/secrets.js'
import { expectChecks, forgetCheck } from './checks.js'

/** A row goes once its host has forgotten the copy. */

/** Decides whether a server may have another. */
export async function readPlaces(db: Db, serverId: string): Promise<BackupPlaces> {
  const row = await db
    .selectFrom('servers as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .select(({ exists, selectFrom, eb }) => [
      eb.fn.coalesce('o.backups', sql.lit(0)).as('most'),
      exists(selectFrom('backup_schedules as c').select('c.server_id').whereRef('c.server_id', '=', 's.id')).as(
        'isScheduled',
      ),
      exists(selectFrom('backup_repositories as r').select('r.id').where('r.is_current', '=', true)).as('isStored'),
    ])
    .select(
      sql<{ used: number; manual: number }>`(select json_build_object('used', count(*)::int,
        'manual', (count(*) filter (where b.origin = 'MANUAL'))::int) from backups b
        where b.server_id = s.id and ${takesPlace})`.as('counts'),
    )
    .where('s.id', '=', serverId)
    .executeTakeFirstOrThrow()
  const { counts, most, isScheduled, isStored } = row
  return { most, ...counts, isScheduled: isScheduled === true, isStored: isStored === true }
}

/** Not those that are going, nor a migration's; the schedule's only when whole: then it makes room. */
const takesPlace = sql`b.forget_at is null and b.cold_migration_id is null and (b.origin = 'MANUAL' or b.made_at is not null)`

/** Its own, and those of its owner's other servers, ended ones too. */
export function restorable(db: Db, server: { id: string; user_id: string | null }) {
  return db
    .selectFrom('backups as b')
    .innerJoin('servers as s', 's.id', 'b.server_id')
    .innerJoin('images as i', 'i.id', 'b.image_id')
    .selectAll('b')
    .select(['s.name as serverName', 'i.readiness'])
    .select(
      sql<boolean>`i.firmware = 'uefi' and exists (select from placements p join hosts h on h.id = p.host_id
        where p.server_id = ${server.id} and p.state = 'held' and not h.boots_uefi)`.as('lacksFirmware'),
    )
    .where('b.cold_migration_id', 'is', null)
    .where('b.server_id', 'in', ({ selectFrom }) =>
      selectFrom('servers')
        .select('servers.id')
        .where((eb) =>
          eb.or([
            eb('servers.id', '=', server.id),
            ...(server.user_id === null ? [] : [eb('servers.user_id', '=', server.user_id)]),
          ]),
        ),
    )
}

/** Of backup `b` of server `s`: not on its way out. */
export const isKept = (now: Date) =>
  sql<boolean>`(b.forget_at is null or s.released_at is not null and b.forget_at > ${now})`

type New = {
  id: string
  serverId: string
  repositoryId: string
  origin: BackupOrigin
  askedBy: string | null
  migrationId?: string
  now: Date
}

/** With the present system, login and password. A second try begins anew. */
export async function addBackup(
  tx: Tx,
  { id, serverId, repositoryId, origin, askedBy, migrationId, now }: New,
): Promise<void> {
  await sql`insert into backups (id, server_id, repository_id, origin, asked_by, disk_gb, image_id, os_name, os_version,
      ssh_port, username, secret_id, iso_booted_at, cold_migration_id, created_at)
    select ${id}, s.id, ${repositoryId}, ${origin}, ${askedBy}, s.storage_gb, s.image_id, s.os_name, s.os_version,
      s.ssh_port, s.username, s.secret_id, s.iso_booted_at, ${migrationId ?? null}, ${now} from servers s where s.id = ${serverId}
    on conflict (id) do update set repository_id = excluded.repository_id, disk_gb = excluded.disk_gb,
      image_id = excluded.image_id, os_name = excluded.os_name, os_version = excluded.os_version,
      ssh_port = excluded.ssh_port, username = excluded.username, secret_id = excluded.secret_id,
      iso_booted_at = excluded.iso_booted_at, created_at = excluded.created_at`.execute(tx)
}

/**
 * The schedule's that has not come about; the next try is for it. Not where it was begun elsewhere than backups are kept
 * now: a host that died before it told may have left it there, so it is forgotten there.
 */
export async function unmadeOfSchedule(tx: Tx, serverId: string, now: Date): Promise<string | null> {
  const current = tx.selectFrom('backup_repositories').select('id').where('is_current', '=', true)
  await tx
    .updateTable('backups')
    .set({ forget_at: now })
    .where('server_id', '=', serverId)
    .where('origin', '=', 'SCHEDULE')
    .where('made_at', 'is', null)
    .where('forget_at', 'is', null)
    .where('repository_id', '<>', current)
    .execute()
  const row = await tx
    .selectFrom('backups')
    .select('id')
    .where('server_id', '=', serverId)
    .where('origin', '=', 'SCHEDULE')
    .where('made_at', 'is', null)
    .where('forget_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

type Made = {
  id: string
  takenAt: Date
  diskBytes: number | null
  addedBytes: number | null
  hostKey: string | null
  isMovable: boolean | null
}

/** Its job ended well. Gives its origin; null where it is gone. */
export async function markMade(tx: Tx, made: Made, now: Date): Promise<BackupOrigin | null> {
  const row = await tx
    .updateTable('backups')
    .set({
      made_at: now,
      taken_at: made.takenAt,
      disk_bytes: made.diskBytes,
      added_bytes: made.addedBytes,
      host_key: made.hostKey,
      is_movable: made.isMovable,
    })
    .where('id', '=', made.id)
    .returning(['origin', 'server_id', 'repository_id'])
    .executeTakeFirst()
  if (row) await expectChecks(tx, row.server_id, row.repository_id, now)
  return row?.origin ?? null
}

/** Of when its disk is; gone: from ever. Null for a migration's: its guest is as it was when it was turned off. */
export async function takenBackTo(tx: Tx, id: string): Promise<Date | null> {
  const row = await tx
    .selectFrom('backups')
    .select(['taken_at', 'cold_migration_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.cold_migration_id ? null : (row?.taken_at ?? new Date(0))
}

/**
 * The schedule's oldest whole ones beyond what was bought; never those by hand, nor what a lost host's server had, which may
 * be all that is left of it (decision 0136).
 */
export async function forgetBeyond(tx: Tx, serverId: string, now: Date): Promise<void> {
  const { most, used } = await readPlaces(tx, serverId)
  if (used <= most) return
  const ofSchedule = tx
    .selectFrom('backups as b')
    .where('b.server_id', '=', serverId)
    .where('b.origin', '=', 'SCHEDULE')
    .where('b.made_at', 'is not', null)
    .where('b.forget_at', 'is', null)
  const { left } = await ofSchedule
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where(isLeftOfLost)
    .executeTakeFirstOrThrow()
  const oldest = ofSchedule
    .select('b.id')
    .where(({ not }) => not(isLeftOfLost))
    .orderBy('b.taken_at')
    .orderBy('b.id')
    .limit(Math.max(0, used - left - most))
  await tx.updateTable('backups').set({ forget_at: now }).where('id', 'in', oldest).execute()
}

/** Backup `b`: from before its server was set up anew in a lost host's stead, and none was brought back since. */
const isLeftOfLost = sql<boolean>`exists (select from evacuations z join servers s on s.order_id = z.order_id
  where s.id = b.server_id and b.made_at <= z.until_at and not exists (select from jobs r
    where r.server_id = s.id and r.kind = 'restore' and r.status = 'SUCCEEDED' and r.created_at >= z.until_at
      and not exists (select from cold_migrations m where m.server_id = s.id and m.job_id = r.id)))`

/** From then on its host is asked to forget it. */
export async function forgetFrom(
  tx: Tx,
  which: { id: string } | { server_id: string } | { cold_migration_id: string },
  at: Date,
): Promise<void> {
  const query = tx.updateTable('backups').set({ forget_at: at }).where('forget_at', 'is', null)
  await query.where(({ and }) => and(which)).execute()
}

/** A migration's, if whole, becomes one of its owner's: nothing else is left of that disk. */
export async function keepCopy(tx: Tx, migrationId: string): Promise<void> {
  await tx
    .updateTable('backups')
    .set({ cold_migration_id: null })
    .where('cold_migration_id', '=', migrationId)
    .where('made_at', 'is not', null)
    .execute()
}

/** Its server has ended: kept a while for whoever asks. */
export const keepEnded = (tx: Tx, serverId: string, now: Date) =>
  forgetFrom(tx, { server_id: serverId }, new Date(now.getTime() + backupKeptDays * 86_400_000))

/** Gone from its repository; forgets a password that nobody else has. */
export async function removeBackup(tx: Tx, id: string, now: Date): Promise<void> {
  const gone = await tx
    .deleteFrom('backups')
    .where('id', '=', id)
    .returning(['secret_id', 'server_id as serverId', 'repository_id as repositoryId'])
    .executeTakeFirst()
  if (!gone) return
  if (gone.secret_id) await deleteUnneeded(tx, [gone.secret_id])
  await forgetCheck(tx, gone, now)
}
