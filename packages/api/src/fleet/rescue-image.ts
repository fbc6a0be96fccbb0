import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { actedImage, imagesHere } from './images-here.js'

/** What a host repairs machines with: the catalogue's first; null where it has none. */
export async function findRescueImage(db: Db, hostId: string) {
  const first = sql`select i.id from ${imagesHere('rescue')} and h.id = ${hostId} order by i.sort_order, i.id limit 1`
  const row = await db
    .selectFrom('images')
    .select(actedImage)
    .select(['username', 'min_disk_gb', 'firmware'])
    .where(sql<boolean>`images.id = (${first})`)
    .executeTakeFirst()
  return row ?? null
}
