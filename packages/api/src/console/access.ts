import { orderCan, type OrderStatus } from '@vps/shared/orders'
import type { ServerDriver } from '@vps/shared/servers'
import type { User } from '../actor.js'
import type { Db } from '../db/client.js'
import { fail } from '../errors.js'
import type { Sight } from '../servers/tenancies.js'

type Found = {
  id: string
  driver: ServerDriver
  orderId: string | null
  orderStatus: OrderStatus | null
  tenantId: string | null
  tenancy: Exclude<Sight, 'all'> | null
}
export type ConsoleServer = Pick<Found, 'id' | 'driver' | 'orderId'> & { sight: Sight }

async function findServer(db: Db, serverId: string): Promise<Found | null> {
  const row = await db
    .selectFrom('servers as s')
    .leftJoin('tenancies as t', (join) => join.onRef('t.server_id', '=', 's.id').onRef('t.order_id', '=', 's.order_id'))
    .leftJoin('orders as o', 'o.id', 't.order_id')
    .select(['s.id', 's.driver', 's.order_id as orderId', 'o.user_id as tenantId', 'o.status as orderStatus'])
    .select(['t.order_id', 't.from_at', 't.until_at'])
    .where('s.id', '=', serverId)
    .executeTakeFirst()
  if (!row) return null
  const { order_id, from_at, until_at, ...server } = row
  return { ...server, tenancy: order_id && from_at ? { orderId: order_id, from: from_at, until: until_at } : null }
}

/**
 * For the owner of an ACTIVE or SUSPENDED order and any ADMIN, else NOT_FOUND; CONSOLE_DENIED for the owner where
 * CONSOLE_ACCESS=admins.
 */
export async function openConsole(
  db: Db,
  user: User,
  serverId: string,
  access: 'owners' | 'admins',
): Promise<ConsoleServer> {
  const server = await findServer(db, serverId)
  if (server && user.role === 'ADMIN') return { ...server, sight: 'all' }
  if (!server?.tenancy || server.tenantId !== user.id) fail('NOT_FOUND')
  if (access === 'admins') fail('CONSOLE_DENIED')
  if (!server.orderStatus || !orderCan.openConsole({ status: server.orderStatus })) fail('NOT_FOUND')
  return { ...server, sight: server.tenancy }
}

/** For the owner from PAID on and ADMIN, else NOT_FOUND. */
export async function openProgress(db: Db, user: User, serverId: string): Promise<ConsoleServer> {
  const server = await findServer(db, serverId)
  if (server && user.role === 'ADMIN') return { ...server, sight: 'all' }
  if (!server?.tenancy || server.tenantId !== user.id) fail('NOT_FOUND')
  return { ...server, sight: server.tenancy }
}
