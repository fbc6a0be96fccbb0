/**
 * `hosts.images`, for placement: files as their image says, on a host with its firmware. `host_heartbeats.transfers`,
 * for screens: what is coming in.
 */
import type { Inventory, WantedImage } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'

const mostImages = 500

/** What every host should have, and from where. */
export async function wantedImages(db: Db): Promise<WantedImage[]> {
  const rows = await db
    .selectFrom('images')
    .select(['file', 'url', 'sha256'])
    .where('is_active', '=', true)
    .where('url', 'is not', null)
    .orderBy('sort_order')
    .orderBy('file')
    .limit(mostImages)
    .execute()
  return rows.flatMap(({ file, url, sha256 }) => (url !== null && sha256 !== null ? [{ file, url, sha256 }] : []))
}

/** The host is locked: an image changed meanwhile takes its file away afterwards. */
export async function updateHostImages(
  tx: Tx,
  hostId: string,
  { images: told, changedBases }: Pick<Inventory, 'images' | 'changedBases'>,
): Promise<void> {
  const host = await tx
    .selectFrom('hosts')
    .select(['images', 'boots_uefi'])
    .where('id', '=', hostId)
    .executeTakeFirstOrThrow()
  const images = await tx
    .selectFrom('images')
    .select(['file', 'url', 'sha256', 'firmware'])
    .where('deleted_at', 'is', null)
    .execute()
  const whole = told.filter(
    ({ broken, sha256 }) => broken === null && !changedBases.some((base) => base.sha256 === sha256),
  )
  const ready = whole.filter((file) => {
    const image = images.find((one) => one.file === file.file)
    if (image?.firmware === 'uefi' && !host.boots_uefi) return false
    return isReady(file, image, host.images.includes(file.file))
  })
  await tx
    .updateTable('hosts')
    .set({ images: ready.map(({ file }) => file) })
    .where('id', '=', hostId)
    .execute()
}

/** Damaged images are not sold. */
export function brokenImageFindings({ images }: Pick<Inventory, 'images'>) {
  return images.flatMap(({ file, broken }) =>
    broken === null ? [] : [{ kind: 'broken-image' as const, subject: file, details: { problem: broken } }],
  )
}

/** A changed base damages every disk on it: not sold until whole. */
export function changedBaseFindings({ images, changedBases }: Pick<Inventory, 'images' | 'changedBases'>) {
  return changedBases.map(({ sha256, disks }) => {
    const files = images.filter((image) => image.sha256 === sha256).map(({ file }) => file)
    return { kind: 'changed-base' as const, subject: sha256, details: { images: files, disks } }
  })
}

/** `before`: ready when last heard. */
export function isReady(
  told: Inventory['images'][number],
  image: { url: string | null; sha256: string | null } | undefined,
  before: boolean,
): boolean {
  if (!image) return true
  if (told.sha256 && image.sha256 !== null) return told.sha256 === image.sha256
  // An operator answers for it.
  if (image.url === null) return true
  // Null: not read since the agent started. Absent: an older agent, which fetches nothing.
  return before || told.sha256 === undefined
}

/** Nothing is placed before the next inventory: a restored back-up does not know what was sold since. */
export async function forgetHostImages(tx: Tx): Promise<void> {
  await tx.updateTable('hosts').set({ images: [] }).execute()
}

/** Nothing is placed on it until an agent has seen the new one. */
export async function deleteImageFile(tx: Tx, file: string): Promise<void> {
  await tx
    .updateTable('hosts')
    .set({ images: sql`array_remove(images, ${file})` })
    .where(sql<boolean>`${file} = any(images)`)
    .execute()
}
