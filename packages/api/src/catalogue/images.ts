import type { ImageView } from '@vps/shared/fleet'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'

type Image = Omit<ImageView, 'id' | 'hosts'>

/** Every image and the hosts that have its file. */
export async function listImages(db: Db): Promise<ImageView[]> {
  const rows = await db
    .selectFrom('images as i')
    .selectAll('i')
    .select(
      sql<
        string[]
      >`array(select h.name from hosts h where i.file = any(h.images) and h.status <> 'RETIRED' order by h.name)`.as(
        'hosts',
      ),
    )
    .orderBy('i.sort_order')
    .orderBy('i.os_name')
    .orderBy('i.os_version')
    .limit(1000)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    osName: row.os_name,
    osVersion: row.os_version,
    file: row.file,
    sha256: row.sha256,
    readiness: row.readiness as ImageView['readiness'],
    username: row.username,
    minDiskGb: row.min_disk_gb,
    isActive: row.is_active,
    sortOrder: row.sort_order,
    hosts: row.hosts,
  }))
}

const columns = (image: Image) => ({
  os_name: image.osName,
  os_version: image.osVersion,
  file: image.file,
  sha256: image.sha256,
  readiness: image.readiness,
  username: image.username,
  min_disk_gb: image.minDiskGb,
  is_active: image.isActive,
  sort_order: image.sortOrder,
})

/** NAME_TAKEN for a file or an active system and version that is there already. */
export async function createImage(tx: Tx, admin: User, image: Image, now: Date): Promise<void> {
  const id = uuidv7()
  await tx
    .insertInto('images')
    .values({ id, ...columns(image), created_at: now, updated_at: now })
    .execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'image.create', subject: { kind: 'image', id }, details: columns(image) },
    now,
  )
}

/** NOT_FOUND, NAME_TAKEN. Servers that exist keep what they were made from. */
export async function updateImage(
  tx: Tx,
  admin: User,
  { id, ...image }: Image & { id: string },
  now: Date,
): Promise<void> {
  const row = await tx
    .updateTable('images')
    .set({ ...columns(image), updated_at: now })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'image.update', subject: { kind: 'image', id }, details: columns(image) },
    now,
  )
}
