import type { ImageTransfer } from '@vps/shared/agent.contract'
import * as labels from '@vps/shared/labels'
import { inNameOrder } from '../db/in-name-order.js'
import { publicUrl } from '@vps/shared/images'
import type { ImageInput, ImageOnHost, ImageView } from '@vps/shared/images.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql, type Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, searchPattern, toPage } from '../db/page.js'
import type { Images } from '../db/schema.generated.js'
import { fail } from '../errors.js'
import { deleteImageFile } from '../fleet/host-images.js'
import { refuseStale } from '../refuse-stale.js'
import { setUpStatuses } from '@vps/shared/orders'
import { isAmong } from '../db/words.js'
import { isAlive } from '../fleet/is-alive.js'
import { isOpen } from '../jobs/is-open.js'

const mostHosts = 1000

/** Searches system, version, file. */
export async function pageImages(db: Db, input: PageInput & { search?: string | undefined }): Promise<Page<ImageView>> {
  let filtered = db.selectFrom('images').select('id').where('deleted_at', 'is', null)
  if (input.search) {
    const like = searchPattern(input.search)
    filtered = filtered.where((eb) =>
      eb.or([eb(sql`os_name || ' ' || os_version`, 'ilike', like), eb('file', 'ilike', like)]),
    )
  }
  const [rows, hosts, count] = await Promise.all([
    filtered
      .clearSelect()
      .selectAll()
      .orderBy('sort_order')
      .orderBy(inNameOrder('os_name'))
      .orderBy(inNameOrder('os_version'))
      .orderBy('id')
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    readHosts(db),
    countRows(db, filtered),
  ])
  const content = rows.map((row) => toView(row, hosts))
  return toPage(content, count, input)
}

/** NOT_FOUND. */
export async function readImage(db: Db, id: string): Promise<ImageView> {
  const row = await db
    .selectFrom('images')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ? toView(row, await readHosts(db)) : fail('NOT_FOUND')
}

function readHosts(db: Db) {
  return db
    .selectFrom('hosts as h')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .select(['h.id', 'h.name', 'h.images', 'h.boots_uefi', 'b.transfers', 'b.last_seen_at'])
    .select((eb) =>
      eb
        .selectFrom('findings as f')
        .select(sql<string[]>`coalesce(array_agg(f.subject), '{}')`.as('files'))
        .whereRef('f.host_id', '=', 'h.id')
        .where('f.kind', '=', 'unbootable-image')
        .where('f.resolved_at', 'is', null)
        .as('unbootable'),
    )
    .select(isAlive('b').as('alive'))
    .where('status', '<>', 'RETIRED')
    .orderBy(inNameOrder('name'))
    .limit(mostHosts)
    .execute()
}

const toView = (row: Selectable<Images>, hosts: Awaited<ReturnType<typeof readHosts>>): ImageView => ({
  id: row.id,
  osName: row.os_name,
  osVersion: row.os_version,
  file: row.file,
  url: row.url,
  sha256: row.sha256,
  readiness: row.readiness,
  username: row.username,
  kind: row.kind,
  firmware: row.firmware,
  minDiskGb: row.min_disk_gb,
  isActive: row.is_active,
  sortOrder: row.sort_order,
  version: row.version,
  hosts: hosts.map((host) => ({
    hostId: host.id,
    hostName: host.name,
    alive: host.alive,
    lastSeenAt: host.last_seen_at?.toISOString() ?? null,
    ...presenceOf(row, host),
  })),
})

/** Waits until the agent speaks of it, if it fetches at all. */
export function presenceOf(
  image: Pick<Selectable<Images>, 'file' | 'url' | 'is_active' | 'firmware'>,
  host: {
    images: readonly string[]
    boots_uefi: boolean
    unbootable: readonly string[] | null
    transfers: readonly ImageTransfer[] | null
  },
): Pick<ImageOnHost, 'status' | 'bytes' | 'totalBytes' | 'error'> {
  const still = { bytes: 0, totalBytes: null, error: null }
  if (host.images.includes(image.file))
    return { status: host.unbootable?.includes(image.file) ? 'unbootable' : 'ready', ...still }
  if (image.firmware === 'uefi' && !host.boots_uefi) return { status: 'no-uefi', ...still }
  if (image.url === null || !image.is_active) return { status: 'none', ...still }
  const transfer = host.transfers?.find(({ file }) => file === image.file)
  if (!transfer) return { status: 'waiting', ...still }
  const { status, bytes, totalBytes, error } = transfer
  return { status, bytes, totalBytes, error }
}

const columns = (image: ImageInput) => ({
  os_name: image.osName,
  os_version: image.osVersion,
  file: image.file,
  url: image.url,
  sha256: image.sha256,
  // Nobody waits for what a disc boots.
  readiness: image.kind === 'iso' ? ('none' as const) : image.readiness,
  username: image.username,
  kind: image.kind,
  firmware: image.firmware,
  min_disk_gb: image.minDiskGb,
  is_active: image.isActive,
  sort_order: image.sortOrder,
})

/** An address may hold a secret. */
const withoutSecret = <T extends { url: string | null }>(image: T): T => ({
  ...image,
  url: image.url === null ? null : publicUrl(image.url),
})

/** NAME_TAKEN for a file, or an active system and version. */
export async function createImage(tx: Tx, admin: User, input: ImageInput, now: Date): Promise<void> {
  const id = uuidv7()
  const image = columns(input)
  await tx
    .insertInto('images')
    .values({ id, ...image, created_at: now, updated_at: now })
    .execute()
  if (image.url !== null) await deleteImageFile(tx, image.file)
  const details = { after: withoutSecret(image) }
  await recordAudit(tx, actorOf(admin), { action: 'image.create', subject: { kind: 'image', id }, details }, now)
}

/** Existing servers keep theirs. NOT_FOUND, NAME_TAKEN, CONFLICT with a newer version, IN_USE for another firmware or purpose. */
export async function updateImage(
  tx: Tx,
  admin: User,
  { id, ...input }: ImageInput & { id: string },
  now: Date,
): Promise<void> {
  const row = await lockImage(tx, id)
  const next = columns(input)
  refuseStale(input.version, row.version, {
    osName: [next.os_name, row.os_name],
    osVersion: [next.os_version, row.os_version],
    file: [next.file, row.file],
    url: [next.url, row.url],
    sha256: [next.sha256, row.sha256],
    readiness: [next.readiness, row.readiness],
    username: [next.username, row.username],
    kind: [next.kind, row.kind],
    firmware: [next.firmware, row.firmware],
    minDiskGb: [next.min_disk_gb, row.min_disk_gb],
    isActive: [next.is_active, row.is_active],
    sortOrder: [next.sort_order, row.sort_order],
  })
  if (next.firmware !== row.firmware) await refuseAnother(tx, id, labels.firmware)
  if (next.kind !== row.kind) await refuseAnother(tx, id, labels.purpose)
  await tx
    .updateTable('images')
    .set({ ...next, version: row.version + 1, updated_at: now })
    .where('id', '=', id)
    .execute()
  const isAnother = next.url !== null && (next.sha256 !== row.sha256 || next.file !== row.file)
  if (isAnother || next.firmware !== row.firmware) await deleteImageFile(tx, next.file)
  const details = changesOf(withoutSecret(row), withoutSecret(next))
  await recordAudit(tx, actorOf(admin), { action: 'image.update', subject: { kind: 'image', id }, details }, now)
}

/**
 * The row stays, without name and file, for ended orders and released servers, and says what the system of a backup is,
 * which brings its own disk; hosts keep the file: disks may rest on it. NOT_FOUND; IN_USE by a living server, a drive, an order not set up or an open job. An order placed just now is
 * refused when paid.
 */
export async function deleteImage(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await lockImage(tx, id)
  await refuseNeeded(tx, id, '无法删除；如需停止销售，可以改为停用')
  await tx
    .updateTable('images')
    .set({ is_active: false, deleted_at: now, version: row.version + 1, updated_at: now })
    .where('id', '=', id)
    .execute()
  const { os_name, os_version, file } = row
  const details = { before: { os_name, os_version, file } }
  await recordAudit(tx, actorOf(admin), { action: 'image.delete', subject: { kind: 'image', id }, details }, now)
}

/** Its machines, and those from its backups, boot as they were made; one set up anew is made of it. */
async function refuseAnother(tx: Tx, id: string, what: string): Promise<void> {
  const instead = `无法更改${what}；可以为它另建一个镜像`
  await refuseNeeded(tx, id, instead)
  const backup = await tx.selectFrom('backups').select('id').where('image_id', '=', id).limit(1).executeTakeFirst()
  if (backup) fail('IN_USE', { message: `仍有备份使用此镜像，${instead}` })
}

async function refuseNeeded(tx: Tx, id: string, so: string): Promise<void> {
  const { rows } = await sql<{ servers: number; orders: number; drives: number; jobs: number }>`select
    (select count(*)::int from servers where image_id = ${id} and released_at is null) as servers,
    (select count(*)::int from orders where image_id = ${id} and ${isAmong('status', ['PENDING', ...setUpStatuses])}) as orders,
    (select count(*)::int from inserted_isos where image_id = ${id} and inserted_at is not null) as drives,
    (select count(*)::int from jobs where ${id} in (payload -> 'machine' -> 'image' ->> 'id', payload -> 'image' ->> 'id')
      and ${isOpen()}) as jobs`.execute(tx)
  const { servers = 0, orders = 0, drives = 0, jobs = 0 } = rows[0] ?? {}
  const needing = [
    ...(servers > 0 ? [`${servers} 台服务器`] : []),
    ...(orders > 0 ? [`${orders} 个未完成的订单`] : []),
    ...(drives > 0 ? [`${drives} 台服务器的光驱`] : []),
    ...(jobs > 0 ? [`${jobs} 个任务`] : []),
  ]
  if (needing.length === 0) return
  fail('IN_USE', { message: `仍有 ${needing.join('、')}使用此镜像，${so}` })
}

async function lockImage(tx: Tx, id: string): Promise<Selectable<Images>> {
  const row = await tx
    .selectFrom('images')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? fail('NOT_FOUND')
}
