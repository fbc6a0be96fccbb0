import type { AnnouncementInput, AnnouncementView } from '@vps/shared/announcements.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import * as text from '@vps/shared/text'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { countRows, toPage } from '../db/page.js'
import { fail } from '../errors.js'

const shown = 20

/** For all, and for those with a server in the group or on the host. */
export async function currentAnnouncements(db: Db, userId: string | null, now: Date): Promise<AnnouncementView[]> {
  const rows = await db
    .selectFrom('announcements as a')
    .selectAll('a')
    .where('a.starts_at', '<=', now)
    .where((eb) => eb.or([eb('a.ends_at', 'is', null), eb('a.ends_at', '>', now)]))
    .where((eb) => {
      const everybody = eb.and([eb('a.group_id', 'is', null), eb('a.host_id', 'is', null)])
      if (userId === null) return everybody
      const mine = eb.selectFrom('servers as s').where('s.user_id', '=', userId).where('s.released_at', 'is', null)
      return eb.or([
        everybody,
        eb.exists(mine.select('s.id').whereRef('s.group_id', '=', 'a.group_id')),
        eb.exists(
          mine
            .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 's.id').on('p.state', '=', 'held'))
            .select('s.id')
            .whereRef('p.host_id', '=', 'a.host_id'),
        ),
      ])
    })
    .orderBy('a.starts_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(shown)
    .execute()
  return rows.map(toView)
}

type Row = {
  id: string
  title: string
  body: string
  level: AnnouncementView['level']
  starts_at: Date
  ends_at: Date | null
}
const toView = (row: Row): AnnouncementView => ({
  id: row.id,
  title: row.title,
  body: row.body,
  level: row.level,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
})

/** Newest first, with whom it reaches. */
export async function pageAnnouncements(db: Db, input: PageInput) {
  const [rows, count] = await Promise.all([
    db
      .selectFrom('announcements as a')
      .leftJoin('server_groups as g', 'g.id', 'a.group_id')
      .leftJoin('hosts as h', 'h.id', 'a.host_id')
      .selectAll('a')
      .select(['g.name as groupName', 'h.name as hostName'])
      .orderBy('a.starts_at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, db.selectFrom('announcements').select('id')),
  ])
  const content = rows.map((row) => ({
    ...toView(row),
    groupId: row.group_id,
    groupName: row.groupName,
    hostId: row.host_id,
    hostName: row.hostName,
    isMaintenance: row.is_maintenance,
  }))
  return toPage(content, count, input) satisfies Page<AnnouncementView>
}

/** Gives its id. UNKNOWN_RECORD; INVALID_INPUT for an end that has passed. */
export async function announce(tx: Tx, admin: User, input: AnnouncementInput, now: Date): Promise<string> {
  const id = uuidv7()
  const { title, body, level, groupId: group_id, hostId: host_id, startsAt, endsAt: ends_at } = input
  const starts_at = startsAt ?? now
  if (ends_at && ends_at <= starts_at) fail('INVALID_INPUT', { errors: { endsAt: text.endsBeforeStart } })
  await tx
    .insertInto('announcements')
    .values({ id, title, body, level, group_id, host_id, starts_at, ends_at, created_by: admin.id, created_at: now })
    .execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'announcement.create', subject: { kind: 'announcement', id }, details: { title } },
    now,
  )
  return id
}

/** One not begun is removed. NOT_FOUND. */
export async function endAnnouncement(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await tx
    .selectFrom('announcements')
    .select(['title', 'starts_at', 'ends_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  if (row.starts_at >= now) await tx.deleteFrom('announcements').where('id', '=', id).execute()
  else if (row.ends_at === null || row.ends_at > now)
    await tx.updateTable('announcements').set({ ends_at: now }).where('id', '=', id).execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'announcement.end', subject: { kind: 'announcement', id }, details: { title: row.title } },
    now,
  )
}

/** Announced once; ended when the host is back. */
export async function announceMaintenance(tx: Tx, hostId: string, inMaintenance: boolean, now: Date): Promise<void> {
  publish(tx, { shop: 'announcement' })
  if (!inMaintenance) {
    await tx
      .updateTable('announcements')
      .set({ ends_at: now })
      .where('host_id', '=', hostId)
      .where('is_maintenance', '=', true)
      .where('ends_at', 'is', null)
      .where('starts_at', '<', now)
      .execute()
    return
  }
  await tx
    .insertInto('announcements')
    .values({
      id: uuidv7(),
      title: '宿主机维护通知',
      body: '您的部分服务器所在的宿主机正在维护，期间可能出现短暂中断；数据不受影响，维护结束后服务自动恢复。',
      level: 'warning',
      host_id: hostId,
      starts_at: now,
      is_maintenance: true,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('host_id').where('is_maintenance', '=', true).where('ends_at', 'is', null).doNothing(),
    )
    .execute()
}
