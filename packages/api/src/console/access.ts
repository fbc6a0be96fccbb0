import { orderCan } from '@vps/shared/orders'
import type { ServerDriver } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import type { User } from '../actor.js'
import type { Db } from '../db/client.js'
import { fail, Refusal } from '../errors.js'

/** Servers with what decides who sees them. */
export function selectServers(db: Db) {
  return (
    db
      .selectFrom('servers as s')
      // By the order, which has one tenancy: with the server's id too, PostgreSQL searches all of the server's.
      .leftJoin('tenancies as t', 't.order_id', 's.order_id')
      .leftJoin('orders as o', 'o.id', 's.order_id')
      .select(['s.id', 's.driver', 's.order_id', 'o.user_id as tenantId', 'o.status as orderStatus'])
      .select(['t.order_id as tenancyOf', 't.from_at', 't.until_at'])
  )
}

type Found = Awaited<ReturnType<ReturnType<typeof selectServers>['executeTakeFirstOrThrow']>>

/**
 * What is seen of a server: all by staff, by a tenant what was in an order's time on it. That is written by the database
 * (`keep_tenancies`, migrations/0024_tenancies.sql), never two at a time.
 */
export type Sight = { orderId: string; from: Date; until: Date | null } | 'all'

export type ConsoleServer = { id: string; driver: ServerDriver; orderId: string | null; sight: Sight }

async function findServer(db: Db, serverId: string): Promise<Found> {
  return (await selectServers(db).where('s.id', '=', serverId).executeTakeFirst()) ?? fail('NOT_FOUND')
}

/**
 * For the owner of an ACTIVE or SUSPENDED order and any ADMIN, else NOT_FOUND; CONSOLE_DENIED for the owner with
 * CONSOLE_ACCESS=admins.
 */
export function mayOpenConsole(server: Found, user: User, access: 'owners' | 'admins'): ConsoleServer {
  const seen = seenBy(server, user)
  if (seen.sight === 'all') return seen
  if (access === 'admins') fail('CONSOLE_DENIED')
  if (!server.orderStatus || !orderCan.openConsole({ status: server.orderStatus })) fail('NOT_FOUND')
  return seen
}

/** For a server not yet read. */
export async function openConsole(
  db: Db,
  user: User,
  serverId: string,
  access: 'owners' | 'admins',
): Promise<ConsoleServer> {
  return mayOpenConsole(await findServer(db, serverId), user, access)
}

/** Where a body names it, a path's NOT_FOUND is UNKNOWN_RECORD (decisions, "Access"). */
export async function namedInBody<T>(opened: Promise<T>): Promise<T> {
  try {
    return await opened
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error
    return fail('UNKNOWN_RECORD', { message: text.serverIdMissing, errors: { serverId: text.serverIdMissing } })
  }
}

/** For the owner from PAID on and ADMIN, else NOT_FOUND. */
export async function openProgress(db: Db, user: User, serverId: string): Promise<ConsoleServer> {
  return seenBy(await findServer(db, serverId), user)
}

/** For the owner from PAID on unless suspended, and ADMIN; else NOT_FOUND, CONSOLE_DENIED, MOVE_NOT_ALLOWED. */
export async function mayOpenRemote(db: Db, user: User, serverId: string, access: 'owners' | 'admins'): Promise<void> {
  const server = await findServer(db, serverId)
  if (seenBy(server, user).sight === 'all') return
  if (access === 'admins') fail('CONSOLE_DENIED')
  const reason = server.orderStatus && orderCan.openRemote.reason({ status: server.orderStatus })
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
}

function seenBy(server: Found, user: User): ConsoleServer {
  const { id, driver, order_id: orderId, tenantId, tenancyOf, from_at: from, until_at: until } = server
  if (user.role === 'ADMIN') return { id, driver, orderId, sight: 'all' }
  if (!tenancyOf || !from || tenantId !== user.id) fail('NOT_FOUND')
  return { id, driver, orderId, sight: { orderId: tenancyOf, from, until } }
}
