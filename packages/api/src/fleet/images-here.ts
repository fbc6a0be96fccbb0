import type { ImageKind } from '@vps/shared/images'
import { sql, type RawBuilder } from 'kysely'
import { inNameOrder } from '../db/in-name-order.js'
import type { Db } from '../db/client.js'
import { bootableImages } from './unbootable.js'

/** Active images `i` of these kinds that host `h` has whole. */
export const imagesHere = (...kinds: ImageKind[]) => sql`images i join hosts h on i.file = any(${bootableImages})
  where i.kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))}) and i.is_active`

/** Those of these kinds that a host has an image of, for a larger statement. */
export const kindsHere = (kinds: ImageKind[], hostId: RawBuilder<unknown>) =>
  sql<ImageKind[]>`array(select distinct i.kind from ${imagesHere(...kinds)} and h.id = ${hostId})`

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
    .orderBy(inNameOrder('os_name'))
    .orderBy(inNameOrder('os_version'))
    .orderBy('id')
    .limit(200)
}
