import type { SnapshotView } from '@vps/shared/console.contract'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/client.js'
import { isOpen } from '../jobs/is-open.js'

/** Of the present disk, newest first. */
export async function listSnapshots(db: Db, serverId: string): Promise<SnapshotView[]> {
  const rows = await db
    .selectFrom('snapshots as n')
    .innerJoin('servers as s', (join) =>
      join.onRef('s.id', '=', 'n.server_id').onRef('s.generation', '=', 'n.generation'),
    )
    .select(['n.id', 'n.name', 'n.disk_gb', 'n.created_at', 'n.made_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('jobs as j')
          .select('j.id')
          .whereRef('j.server_id', '=', 'n.server_id')
          .where('j.kind', '=', 'snapshot')
          .where(isOpen('j'))
          .where(sql<SqlBool>`j.payload->>'snapshotId' = n.id::text`),
      ).as('underWay'),
    )
    .where('n.server_id', '=', serverId)
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    state: row.made_at ? 'READY' : row.underWay ? 'CREATING' : 'FAILED',
    diskGb: row.disk_gb,
    createdAt: row.created_at.toISOString(),
  }))
}

/** By its order's price group as it is now; none for dedicated servers. */
export async function readMost(db: Db, serverId: string): Promise<number> {
  const row = await db
    .selectFrom('servers as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .select(mostSnapshots.as('most'))
    .where('s.id', '=', serverId)
    .executeTakeFirst()
  return row?.most ?? 0
}

/** For statements with server `s` and its order `o`. */
export const mostSnapshots = sql<number>`case when s.driver = 'kvm'
  then coalesce((select pg.snapshots from price_groups pg where pg.id = o.price_group_id), 0) else 0 end`

/** The same: how many it has. */
export const usedSnapshots = sql<number>`(select count(*)::int from snapshots n
  where n.server_id = s.id and n.generation = s.generation)`
