import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { askServer } from '../servers/drivers.js'
import { hasOpenHere } from '../jobs/is-open.js'

/** With a disc for longer than it may stay, and nothing open. */
export async function findForgottenIsos(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await forgotten(db, now).where(outside(batch, 's.id')).orderBy('i.eject_at').limit(batch.limit).execute()
  return due.map(({ id }) => id)
}

/**
 * Asks for it; if that fails, again in a while. Waits for the server's row: connection tests write there in the same
 * second of each minute, and skipping would always come too late.
 */
export async function ejectForgottenIso(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.selectFrom('servers').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const server = await forgotten(tx, now).where('s.id', '=', id).executeTakeFirst()
  if (!server) return
  await askServer(tx, id, { act: { kind: 'ejectIso' }, orderId: server.orderId }, now)
  await recordAudit(tx, timer, { action: 'server.ejectIso', subject: { kind: 'server', id } }, now)
}

function forgotten(db: Db, now: Date) {
  return db
    .selectFrom('inserted_isos as i')
    .innerJoin('servers as s', 's.id', 'i.server_id')
    .select(['s.id', 's.order_id as orderId'])
    .where('i.eject_at', '<=', now)
    .where(({ not }) => not(hasOpenHere('s.id')))
}
