import { isServiceKey, maxIncidentUpdates, serviceName } from '@vps/shared/status'
import type { IncidentInput, IncidentUpdateInput, IncidentView, NextUpdateInput } from '@vps/shared/status.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import * as text from '@vps/shared/text'
import { startOfShanghaiDay } from '@vps/shared/time'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, toPage } from '../db/page.js'
import { fail } from '../errors.js'

const shownIncidents = 50

/** Those open, then those over since a day; newest first. */
export async function publicIncidents(db: Db, since: string): Promise<IncidentView[]> {
  const rows = await newestFirst(incidentsWithUpdates(db).orderBy((eb) => eb('i.ends_at', 'is', null), 'desc'))
    .where((eb) => eb.or([eb('i.ends_at', 'is', null), eb('i.ends_at', '>=', startOfShanghaiDay(since))]))
    .limit(shownIncidents)
    .execute()
  return rows.map(toView)
}

/** All, newest first. */
export async function pageIncidents(db: Db, input: PageInput): Promise<Page<IncidentView>> {
  const [rows, count] = await Promise.all([
    newestFirst(incidentsWithUpdates(db))
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, db.selectFrom('incidents').select('id')),
  ])
  return toPage(rows.map(toView), count, input)
}

function incidentsWithUpdates(db: Db) {
  return db
    .selectFrom('incidents as i')
    .select(['i.id', 'i.title', 'i.services', 'i.starts_at', 'i.ends_at'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('incident_updates as u')
          .select(['u.id', 'u.state', 'u.body', 'u.created_at as at'])
          .whereRef('u.incident_id', '=', 'i.id')
          .orderBy('u.created_at', 'desc')
          .orderBy('u.id', 'desc')
          .limit(maxIncidentUpdates),
      ).as('updates'),
    )
}

const newestFirst = (incidents: ReturnType<typeof incidentsWithUpdates>) =>
  incidents.orderBy('i.starts_at', 'desc').orderBy('i.id', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof incidentsWithUpdates>['executeTakeFirstOrThrow']>>

const toView = (row: Row): IncidentView => ({
  id: row.id,
  title: row.title,
  services: row.services.filter(isServiceKey).map(serviceName),
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
  updates: row.updates.map((update) => ({ ...update, at: new Date(update.at).toISOString() })),
})

/** With its first update. Gives its id. */
export async function reportIncident(tx: Tx, admin: User, input: IncidentInput, now: Date): Promise<string> {
  const id = uuidv7()
  const { title, services, state, body, endsAt } = input
  const startsAt = input.startsAt ?? now
  if (startsAt > now) fail('INVALID_INPUT', { errors: { startsAt: text.startsLater } })
  await tx
    .insertInto('incidents')
    .values({ id, title, services, starts_at: startsAt, created_by: admin.id, created_at: now })
    .execute()
  await addUpdate(tx, admin, { id, startsAt, state, body, endsAt }, now)
  const details = { title, services: services.map(serviceName).join('、'), state }
  await recordAudit(tx, actorOf(admin), { action: 'incident.report', subject: { kind: 'incident', id }, details }, now)
  return id
}

/** The state ends or reopens the incident; an end told before stays. NOT_FOUND; CONFLICT with an update not read. */
export async function updateIncident(
  tx: Tx,
  admin: User,
  input: NextUpdateInput & { id: string },
  now: Date,
): Promise<void> {
  const incident = await tx
    .selectFrom('incidents')
    .select(['starts_at', 'ends_at'])
    .where('id', '=', input.id)
    .forUpdate()
    .executeTakeFirst()
  if (!incident) fail('NOT_FOUND')
  if (input.after && input.after !== (await newestUpdate(tx, input.id))) fail('CONFLICT')
  const { totalElements } = await countRows(
    tx,
    tx.selectFrom('incident_updates').select('id').where('incident_id', '=', input.id),
  )
  if (totalElements >= maxIncidentUpdates)
    fail('INVALID_INPUT', { errors: { body: `一个事件最多 ${maxIncidentUpdates} 条进展` } })
  const endsAt = input.endsAt ?? incident.ends_at
  await addUpdate(tx, admin, { ...input, startsAt: incident.starts_at, endsAt }, now)
  const details = { state: input.state, note: input.body }
  const subject = { kind: 'incident', id: input.id }
  await recordAudit(tx, actorOf(admin), { action: 'incident.update', subject, details }, now)
}

async function newestUpdate(tx: Tx, incidentId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('incident_updates')
    .select('id')
    .where('incident_id', '=', incidentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

type Update = IncidentUpdateInput & { id: string; startsAt: Date }

async function addUpdate(tx: Tx, admin: User, { id, startsAt, state, body, endsAt }: Update, now: Date): Promise<void> {
  const ends = state === 'resolved' ? (endsAt ?? now) : null
  if (ends && (ends > now || ends < startsAt)) fail('INVALID_INPUT', { errors: { endsAt: text.badRecovery } })
  await tx
    .insertInto('incident_updates')
    .values({ id: uuidv7(), incident_id: id, state, body, created_by: admin.id, created_at: now })
    .execute()
  await tx.updateTable('incidents').set({ ends_at: ends }).where('id', '=', id).execute()
}
