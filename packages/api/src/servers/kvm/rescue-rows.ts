import type { Tx } from '../../db/client.js'
import { deleteUnneeded } from '../../secrets/secrets.js'

/** Notes what was asked for (decision 0101); forgets an earlier asking. */
export async function addRescue(
  tx: Tx,
  rescue: { id: string; serverId: string; secretId: string },
  now: Date,
): Promise<void> {
  const { id, serverId, secretId } = rescue
  await forgetRescue(tx, { serverId })
  await tx.insertInto('rescues').values({ id, server_id: serverId, secret_id: secretId, created_at: now }).execute()
}

/** Its job has ended well. */
export async function markEntered(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('rescues').set({ entered_at: now }).where('id', '=', id).execute()
}

/** Left, or never entered: forgets a password that nobody else has. */
export async function forgetRescue(tx: Tx, which: { id: string } | { serverId: string }): Promise<void> {
  const gone = await tx
    .deleteFrom('rescues')
    .where((eb) => ('id' in which ? eb('id', '=', which.id) : eb('server_id', '=', which.serverId)))
    .returning('secret_id')
    .execute()
  if (gone.length > 0)
    await deleteUnneeded(
      tx,
      gone.map((row) => row.secret_id),
    )
}
