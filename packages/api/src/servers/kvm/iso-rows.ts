import { isoUntil } from '@vps/shared/servers'
import type { InsertedIso } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/client.js'

/** Notes what was asked for (decision 0105); forgets an earlier asking. */
export async function addIso(
  tx: Tx,
  iso: { id: string; serverId: string; imageId: string; boots: boolean },
  now: Date,
): Promise<void> {
  const { id, serverId, imageId, boots } = iso
  await forgetIso(tx, { serverId })
  await tx
    .insertInto('inserted_isos')
    .values({ id, server_id: serverId, image_id: imageId, boots, created_at: now })
    .execute()
}

/** Its job ended well: its time runs from now. */
export async function markInserted(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('inserted_isos')
    .set({ inserted_at: now, eject_at: isoUntil(now) })
    .where('id', '=', id)
    .execute()
}

const tryAgainMs = 10 * 60_000

/** Its ejection is asked for; if that fails, it is due again in ten minutes. */
export async function putOffEjection(tx: Tx, serverId: string, now: Date): Promise<void> {
  await tx
    .updateTable('inserted_isos')
    .set({ eject_at: sql`greatest(eject_at, ${new Date(now.getTime() + tryAgainMs)}::timestamptz)` })
    .where('server_id', '=', serverId)
    .execute()
}

/** It is out, or never was in. */
export async function forgetIso(tx: Tx, which: { id: string } | { serverId: string }): Promise<void> {
  await tx
    .deleteFrom('inserted_isos')
    .where((eb) => ('id' in which ? eb('id', '=', which.id) : eb('server_id', '=', which.serverId)))
    .execute()
}

/** For a new definition of the machine; null without one. */
export async function insertedIsoOf(db: Db, serverId: string): Promise<InsertedIso | null> {
  const row = await db
    .selectFrom('inserted_isos as i')
    .innerJoin('images', 'images.id', 'i.image_id')
    .select(['i.id as isoId', 'images.file', 'i.boots'])
    .where('i.server_id', '=', serverId)
    .where('i.inserted_at', 'is not', null)
    .executeTakeFirst()
  return row ?? null
}
