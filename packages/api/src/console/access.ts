import { orderCan, type OrderStatus } from '@vps/shared/orders'
import type { ServerDriver } from '@vps/shared/servers'
import type { User } from '../actor.js'
import type { Db } from '../db/client.js'
import { fail } from '../errors.js'

export type ConsoleServer = {
  id: string
  driver: ServerDriver
  orderId: string | null
  ownerId: string | null
  orderStatus: OrderStatus | null
  /** What happened before this moment is no business of the reader's: a machine may have had another owner. Null for staff. */
  since: Date | null
}

async function findServer(db: Db, serverId: string): Promise<ConsoleServer | null> {
  const row = await db
    .selectFrom('servers as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .select([
      's.id',
      's.driver',
      's.order_id as orderId',
      's.user_id as ownerId',
      'o.status as orderStatus',
      'o.paid_at as since',
    ])
    .where('s.id', '=', serverId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Lets the owner of a living order (ACTIVE or SUSPENDED) and any ADMIN read a server's console. NOT_FOUND for everybody
 * else, like a missing id; CONSOLE_DENIED to the owner where CONSOLE_ACCESS=admins.
 */
export async function openConsole(
  db: Db,
  user: User,
  serverId: string,
  access: 'owners' | 'admins',
): Promise<ConsoleServer> {
  const server = await findServer(db, serverId)
  if (server && user.role === 'ADMIN') return { ...server, since: null }
  if (!server || server.ownerId !== user.id) fail('NOT_FOUND')
  if (access === 'admins') fail('CONSOLE_DENIED')
  if (!server.orderStatus || !orderCan.openConsole({ status: server.orderStatus })) fail('NOT_FOUND')
  return server
}

/** The install progress is readable by the owner from PAID on, and by ADMIN. NOT_FOUND otherwise. */
export async function openProgress(db: Db, user: User, serverId: string): Promise<ConsoleServer> {
  const server = await findServer(db, serverId)
  if (server && user.role === 'ADMIN') return { ...server, since: null }
  if (!server || server.ownerId !== user.id) fail('NOT_FOUND')
  return server
}
