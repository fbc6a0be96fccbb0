import * as text from '@vps/shared/text'
import type { AdminUserInFen } from '@vps/shared/accounts.contract'
import type { Role } from '@vps/shared/accounts'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, indexedPattern, isOneOf, pageOfIds, toPage } from '../db/page.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { toUserView } from './queries.js'
import { clearSecondFactor } from './second-factor.js'
import { revokeAllSessions } from './sessions.js'

/** Newest first; search matches name and address. */
export async function pageUsers(
  db: Db,
  input: PageInput & { search?: string | undefined },
): Promise<Page<AdminUserInFen>> {
  let filtered = db.selectFrom('users as u').select('u.id')
  if (input.search) {
    const like = indexedPattern(input.search)
    filtered = filtered.where((eb) => eb.or([eb('u.username', 'ilike', like), eb('u.email', 'ilike', like)]))
  }
  const ordered = filtered.orderBy('u.created_at', 'desc').orderBy('u.id', 'desc')
  const ids = await pageOfIds(ordered, input)
  const [rows, count] = await Promise.all([
    selectUsers(db).where(isOneOf('u.id', ids)).orderBy('u.created_at', 'desc').orderBy('u.id', 'desc').execute(),
    countRows(db, ordered),
  ])
  return toPage(rows.map(toAdminView), count, input)
}

/** NOT_FOUND. */
export async function readAdminUser(db: Db, id: string): Promise<AdminUserInFen> {
  const row = await selectUsers(db).where('u.id', '=', id).executeTakeFirst()
  return row ? toAdminView(row) : fail('NOT_FOUND')
}

function selectUsers(db: Db) {
  return db
    .selectFrom('users as u')
    .leftJoin('wallets as w', 'w.user_id', 'u.id')
    .select(['u.id', 'u.username', 'u.email', 'u.role', 'u.status', 'u.created_at', 'w.balance_fen'])
    .select((eb) => [
      eb
        .selectFrom('orders as o')
        .select((o) => o.fn.countAll<number>().as('n'))
        .whereRef('o.user_id', '=', 'u.id')
        .as('orderCount'),
      eb
        .selectFrom('orders as o')
        .select((o) => o.fn.countAll<number>().as('n'))
        .whereRef('o.user_id', '=', 'u.id')
        .where('o.status', '=', 'ACTIVE')
        .as('activeCount'),
      eb
        .exists(
          eb
            .selectFrom('second_factors as f')
            .select('f.user_id')
            .whereRef('f.user_id', '=', 'u.id')
            .where('f.confirmed_at', 'is not', null),
        )
        .as('secondFactor'),
    ])
}

const toAdminView = (row: Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>) => ({
  ...toUserView(row),
  status: row.status,
  secondFactor: row.secondFactor === true,
  balance: row.balance_fen,
  orderCount: row.orderCount ?? 0,
  activeCount: row.activeCount ?? 0,
})

/** Suspending ends every session; orders run on. NOT_FOUND, FORBIDDEN; never oneself. */
export async function setAccountStatus(
  tx: Tx,
  admin: User,
  input: { id: string; status: 'active' | 'suspended'; reason: string },
  now: Date,
): Promise<void> {
  if (input.id === admin.id) fail('MOVE_NOT_ALLOWED', { message: text.noSelfSuspend })
  const user = await lockUser(tx, admin, input.id)
  await tx.updateTable('users').set({ status: input.status, updated_at: now }).where('id', '=', input.id).execute()
  if (input.status === 'suspended') await revokeAllSessions(tx, input.id, null, now)
  const details = { ...changesOf({ status: user.status }, { status: input.status }), reason: input.reason }
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'account.set-status', subject: { kind: 'user', id: input.id }, details },
    now,
  )
}

/** For an owner who lost the authenticator and the recovery codes. NOT_FOUND, FORBIDDEN, STATE_CHANGED where none is on. */
export async function clearUsersSecondFactor(
  tx: Tx,
  admin: User,
  input: { id: string; reason: string },
  now: Date,
): Promise<void> {
  await lockUser(tx, admin, input.id)
  if (!(await clearSecondFactor(tx, actorOf(admin), input.id, now, input.reason))) fail('STATE_CHANGED')
}

/** NOT_FOUND, FORBIDDEN; nobody takes it from themselves. */
export async function setRole(tx: Tx, admin: User, input: { id: string; role: Role }, now: Date): Promise<void> {
  if (input.id === admin.id) fail('MOVE_NOT_ALLOWED', { message: text.noOwnRole })
  const user = await lockUser(tx, admin, input.id)
  await tx.updateTable('users').set({ role: input.role, updated_at: now }).where('id', '=', input.id).execute()
  publish(tx, { sessionsOf: input.id })
  const details = changesOf({ role: user.role }, { role: input.role })
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'account.set-role', subject: { kind: 'user', id: input.id }, details },
    now,
  )
}

/**
 * With the administrator's own row, by id: of two who take each other's place at once the second is none any more.
 * FORBIDDEN, NOT_FOUND.
 */
async function lockUser(tx: Tx, admin: User, id: string): Promise<{ role: string; status: string }> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'role', 'status'])
    .where(isOneOf('id', [admin.id, id]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const self = rows.find((row) => row.id === admin.id)
  if (self?.role !== 'ADMIN' || self.status !== 'active') fail('FORBIDDEN')
  return rows.find((row) => row.id === id) ?? fail('NOT_FOUND')
}
