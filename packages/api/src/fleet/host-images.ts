/**
 * Which host has which image. `hosts.images` are the files of which a host has what the image says: placement relies on
 * it. `hosts.transfers` is what its agent told last about those that are coming in: only screens read it.
 */
import type { ImageTransfer, Inventory, WantedImage } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'

const mostImages = 500

/** What every host should have, and where its agent gets it. */
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

/**
 * Writes down which of the files that a host has are ready. The caller has locked the host: an image that is changed at
 * the same time takes its file away from all hosts afterwards, and is not overwritten from what was read before.
 */
export async function updateHostImages(
  tx: Tx,
  hostId: string,
  { images: told, changedBases }: Pick<Inventory, 'images' | 'changedBases'>,
): Promise<void> {
  const host = await tx.selectFrom('hosts').select('images').where('id', '=', hostId).executeTakeFirstOrThrow()
  const images = await tx
    .selectFrom('images')
    .select(['file', 'url', 'sha256'])
    .where('deleted_at', 'is', null)
    .execute()
  const whole = told.filter(
    ({ broken, sha256 }) => broken === null && !changedBases.some((base) => base.sha256 === sha256),
  )
  const ready = whole.filter((file) =>
    isReady(
      file,
      images.find((image) => image.file === file.file),
      host.images.includes(file.file),
    ),
  )
  await tx
    .updateTable('hosts')
    .set({ images: ready.map(({ file }) => file) })
    .where('id', '=', hostId)
    .execute()
}

/** An image that is damaged is not sold, and stands among the findings until it is whole. */
export function brokenImageFindings({ images }: Pick<Inventory, 'images'>) {
  return images.flatMap(({ file, broken }) =>
    broken === null ? [] : [{ kind: 'broken-image' as const, subject: file, details: { problem: broken } }],
  )
}

/**
 * A base that was written to damages the disks on it, and every new one: its images are not sold until it is as it was.
 */
export function changedBaseFindings({ images, changedBases }: Pick<Inventory, 'images' | 'changedBases'>) {
  return changedBases.map(({ sha256, disks }) => {
    const files = images.filter((image) => image.sha256 === sha256).map(({ file }) => file)
    return { kind: 'changed-base' as const, subject: sha256, details: { images: files, disks } }
  })
}

/** Pure: whether a file on a host is what its image says. `before`: it was, when the host was last heard. */
export function isReady(
  told: Inventory['images'][number],
  image: { url: string | null; sha256: string | null } | undefined,
  before: boolean,
): boolean {
  if (!image) return true
  if (told.sha256 && image.sha256 !== null) return told.sha256 === image.sha256
  // Put there by an operator, who answers for it; it is checked before each install.
  if (image.url === null) return true
  // Null: a new start of the agent has not read it yet. Absent: an older agent, which fetches nothing by itself.
  return before || told.sha256 === undefined
}

/** Keeps what a host's agent tells about its transfers; operators hear of it when it changed. */
export async function updateTransfers(tx: Tx, hostId: string, transfers: readonly ImageTransfer[]): Promise<void> {
  const json = JSON.stringify(transfers)
  const changed = await tx
    .updateTable('hosts')
    .set({ transfers: json })
    .where('id', '=', hostId)
    .where(sql<boolean>`transfers <> ${json}::jsonb`)
    .executeTakeFirst()
  if (changed.numUpdatedRows > 0n) publish(tx, { shop: 'image' })
}

/**
 * What lies on the hosts under this name is another thing now: nothing is placed on it until an agent has seen the
 * right one.
 */
export async function deleteImageFile(tx: Tx, file: string): Promise<void> {
  await tx
    .updateTable('hosts')
    .set({ images: sql`array_remove(images, ${file})` })
    .where(sql<boolean>`${file} = any(images)`)
    .execute()
}
