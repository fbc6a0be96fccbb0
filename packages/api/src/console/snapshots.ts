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
