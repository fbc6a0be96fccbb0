import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { fail } from '../errors.js'
import { openSecret } from '../secrets/secrets.js'
import type { Vault } from '../vault.js'

/** For whoever may open the console; audited. NOT_FOUND. */
export async function readPassword(db: Db, vault: Vault, user: User, serverId: string, now: Date): Promise<string> {
  const server = await db.selectFrom('servers').select('secret_id').where('id', '=', serverId).executeTakeFirstOrThrow()
  if (!server.secret_id) fail('NOT_FOUND')
  const read = { action: 'server.read-password', subject: { kind: 'server', id: serverId } } as const
  await inTx(db, (tx) => recordAudit(tx, actorOf(user), read, now))
  return openSecret(db, vault, server.secret_id)
}
