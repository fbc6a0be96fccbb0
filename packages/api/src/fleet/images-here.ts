import type { ImageKind } from '@vps/shared/images'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import { bootableImages } from './unbootable.js'

/** Active images `i` of this kind that host `h` has whole. */
export const imagesHere = (kind: ImageKind) => sql`images i join hosts h on i.file = any(${bootableImages})
  where i.kind = ${sql.lit(kind)} and i.is_active`

/** Whether there are any, for a larger statement. */
export const offers = (kind: ImageKind, hostId: RawBuilder<unknown>) =>
  sql<boolean>`exists(select from ${imagesHere(kind)} and h.id = ${hostId})`

export const actedImage = ['id', 'os_name', 'os_version', 'file', 'sha256', 'readiness'] as const

/** The library's discs on the server's host, in the catalogue's order. */
export function isosFor(db: Db, serverId: string) {
  const onItsHost = sql`select i.id from ${imagesHere('iso')} and h.id =
    (select p.host_id from placements p where p.server_id = ${serverId} and p.state = 'held')`
  return db
    .selectFrom('images')
    .select(actedImage)
    .where(sql<boolean>`images.id in (${onItsHost})`)
    .orderBy('sort_order')
    .orderBy('os_name')
    .orderBy('os_version')
    .orderBy('id')
    .limit(200)
}
