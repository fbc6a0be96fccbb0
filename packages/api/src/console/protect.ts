import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { changeServer } from '../servers/change-server.js'

/** Against reinstall and release by the owner. */
export async function protectServer(
  tx: Tx,
  user: User,
  input: { id: string; protected: boolean },
  now: Date,
): Promise<void> {
  const ownerId = await changeServer(tx, input.id, { protected: input.protected }, now)
  const details = { protected: input.protected }
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'server.protect', subject: { kind: 'server', id: input.id }, details },
    now,
  )
  if (ownerId) publish(tx, { user: ownerId, what: 'server', id: input.id })
}
