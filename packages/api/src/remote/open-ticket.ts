import { createHash, randomBytes } from 'node:crypto'
import type { RemoteKind } from '@vps/shared/remote'
import * as text from '@vps/shared/text'
import { v7 as uuidv7 } from 'uuid'
import type { User } from '../actor.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { isAlive } from '../fleet/is-alive.js'

export const hashOfSecret = (secret: string) => createHash('sha256').update(secret).digest()

/** 256 bits, base64url: also a word for a socket's protocols. */
export const newSecret = () => randomBytes(32).toString('base64url')

/**
 * For one socket within a minute; only its hash is kept. NOT_SUPPORTED without a host, AGENT_TIMEOUT for a silent one.
 */
export async function openTicket(
  tx: Tx,
  user: User,
  { serverId, kind }: { serverId: string; kind: RemoteKind },
  now: Date,
): Promise<string> {
  const place = await tx
    .selectFrom('placements as p')
    .leftJoin('host_heartbeats as b', 'b.host_id', 'p.host_id')
    .select(['p.host_id', isAlive('b').as('alive')])
    .where('p.server_id', '=', serverId)
    .where('p.state', '=', 'held')
    .executeTakeFirst()
  if (!place) fail('NOT_SUPPORTED', { message: text.noRemoteConsole })
  if (!place.alive) fail('AGENT_TIMEOUT', { message: '宿主机没有响应，暂时无法打开远程连接' })
  const ticket = newSecret()
  await tx
    .insertInto('remote_consoles')
    .values({
      id: uuidv7(),
      server_id: serverId,
      host_id: place.host_id,
      kind,
      user_id: user.id,
      session_id: user.sessionId,
      ticket_hash: hashOfSecret(ticket),
      created_at: now,
    })
    .execute()
  return ticket
}
