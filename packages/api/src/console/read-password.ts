import * as text from '@vps/shared/text'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { fail } from '../errors.js'
import { openIfReadable } from '../secrets/secrets.js'
import type { Vault } from '../vault.js'

/** Of the machine's rescue system; audited. NOT_FOUND. */
export async function readRescuePassword(
  db: Db,
  vault: Vault,
  user: User,
  serverId: string,
  now: Date,
): Promise<string> {
  const rescue = await db
    .selectFrom('rescues')
    .select('secret_id')
    .where('server_id', '=', serverId)
    .where('entered_at', 'is not', null)
    .executeTakeFirst()
  if (!rescue) fail('NOT_FOUND')
  return read(db, vault, user, { serverId, secretId: rescue.secret_id, action: 'server.read-rescue-password' }, now)
}

/** For whoever may open the console; audited. NOT_FOUND. */
export async function readPassword(db: Db, vault: Vault, user: User, serverId: string, now: Date): Promise<string> {
  const server = await db.selectFrom('servers').select('secret_id').where('id', '=', serverId).executeTakeFirstOrThrow()
  if (!server.secret_id) fail('NOT_FOUND')
  const secretId = server.secret_id
  return read(db, vault, user, { serverId, secretId, action: 'server.read-password' }, now)
}

async function read(
  db: Db,
  vault: Vault,
  user: User,
  { serverId, secretId, action }: { serverId: string; secretId: string; action: string },
  now: Date,
): Promise<string> {
  const subject = { kind: 'server', id: serverId }
  await inTx(db, (tx) => recordAudit(tx, actorOf(user), { action, subject }, now))
  return (await openIfReadable(db, vault, secretId)) ?? fail('NOT_FOUND', { message: text.unreadablePassword })
}
