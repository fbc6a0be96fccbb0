import { sql, type RawBuilder } from 'kysely'
import type { FindingPageInput } from '@vps/shared/findings.contract'
import { isStray, type FindingKind } from '@vps/shared/findings'
import { livingAgentSeconds } from '@vps/shared/hosts'
import type { Db } from '../db/client.js'
import { countRows, isOneOf, pageOfIds, toPage } from '../db/page.js'
import { fail } from '../errors.js'

export const uuidStart = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** Of finding `f`, where its subject names one. */
export const serverOfSubject = sql<string>`case when f.subject ~ ${sql.lit(uuidStart)} then left(f.subject, 36)::uuid end`

const paymentOfSubject = sql<string>`case when f.kind in ('paid-twice', 'mismatched-payment') then split_part(f.subject, '/', 1) end`

/** What may need an operator, newest first; days are of the first time. */
export async function pageFindings(db: Db, input: FindingPageInput) {
  let filtered = db.selectFrom('findings as f').select('f.id')
  if (input.open) filtered = filtered.where('f.resolved_at', 'is', null)
  if (input.kind) filtered = filtered.where('f.kind', '=', input.kind)
  if (input.hostId) filtered = filtered.where('f.host_id', '=', input.hostId)
  if (input.from) filtered = filtered.where('f.first_seen_at', '>=', input.from)
  if (input.to) filtered = filtered.where('f.first_seen_at', '<=', input.to)
  const ordered = filtered.orderBy('f.first_seen_at', 'desc').orderBy('f.id', 'desc')
  const ids = await pageOfIds(ordered, input)
  const [rows, count] = await Promise.all([
    selectFindings(db).where(isOneOf('f.id', ids)).orderBy('f.first_seen_at', 'desc').orderBy('f.id', 'desc').execute(),
    countRows(db, ordered),
  ])
  return toPage(rows.map(toView), count, input)
}

/** NOT_FOUND. */
export async function readFinding(db: Db, id: string) {
  const row = await selectFindings(db).where('f.id', '=', id).executeTakeFirst()
  return row ? toView(row) : fail('NOT_FOUND')
}

const selectFindings = (db: Db) =>
  db
    .selectFrom('findings as f')
    .leftJoin('hosts as h', 'h.id', 'f.host_id')
    .leftJoin('servers as s', (join) => join.on('s.id', '=', serverOfSubject))
    .leftJoin('payments as paid', (join) => join.on('paid.out_trade_no', '=', paymentOfSubject))
    .leftJoin('users as u', (join) => join.on('u.id', '=', sql<string>`coalesce(s.user_id, paid.user_id)`))
    .selectAll('f')
    .select(['h.name as hostName', 's.id as serverId', 's.name as serverName', 's.order_id as orderId'])
    .select(['u.id as ownerId', 'u.username as ownerName'])
    .select(hasPlace({ serverId: sql.ref('s.id'), hostId: sql.ref('f.host_id') }).as('placed'))
    .select(hasNoOther(sql.ref('s.id')).as('hasNoOther'))

const toView = (row: Awaited<ReturnType<ReturnType<typeof selectFindings>['executeTakeFirstOrThrow']>>) => ({
  id: row.id,
  hostId: row.host_id,
  hostName: row.hostName,
  serverId: row.serverId,
  serverName: row.serverName,
  orderId: row.orderId,
  ownerId: row.ownerId,
  ownerName: row.ownerName,
  ...cleaning(row),
  kind: row.kind,
  subject: row.subject,
  details: row.details,
  firstSeenAt: row.first_seen_at.toISOString(),
  lastSeenAt: row.last_seen_at.toISOString(),
  resolvedAt: row.resolved_at?.toISOString() ?? null,
})

type Stray = {
  kind: FindingKind
  resolved_at: Date | null
  serverId: string | null
  placed: boolean
  hasNoOther: boolean
}

function cleaning({ kind, resolved_at, serverId, placed, hasNoOther }: Stray) {
  const isLeft = resolved_at === null && isStray(kind) && serverId !== null && !placed
  return { cleanable: isLeft && !hasNoOther, perhapsLast: isLeft && hasNoOther }
}

const isSilent = sql<boolean>`coalesce(b.last_seen_at <= clock_timestamp() - make_interval(secs => ${sql.lit(livingAgentSeconds)}), true)`

/**
 * Lives, but where it has its place nothing of it is to be seen: carried elsewhere by hand, or by what the database has
 * forgotten. What is left there may be all that there is (decision 0133). Nor is it while that host is silent. Nobody
 * knows the power of what is missing, also while an act is under way there, and once an operator marked that as handled.
 */
export const hasNoOther = (serverId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from placements p join hosts h on h.id = p.host_id join servers w on w.id = p.server_id
      left join host_heartbeats b on b.host_id = h.id
    where p.server_id = ${serverId} and p.state = 'held' and (h.status = 'LOST' or ${isSilent} or w.power = 'unknown'
      or exists (select from findings m where m.host_id = h.id and m.kind = 'missing-domain'
        and m.subject = p.server_id::text and m.resolved_at is null)))`

type Where = { serverId: RawBuilder<unknown>; hostId: RawBuilder<unknown> }

/** On that host, or held on its machine under an earlier name: enrolled twice, it tells the living as strays. */
export const hasPlace = ({ serverId, hostId }: Where) =>
  sql<boolean>`exists (select from placements p join hosts o on o.id = p.host_id join hosts here on here.id = ${hostId}
    where p.server_id = ${serverId} and p.state <> 'freed'
      and (o.id = here.id or p.state = 'held' and o.machine_id = here.machine_id))`
