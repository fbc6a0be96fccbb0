import { snapshotKinds } from '@vps/shared/jobs'
import { snapshotCan } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { countSnapshots, hasDiskRoom, type HeldPlace } from '../../fleet/placements.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import type { Act } from '../driver/driver.js'
import { jobAt, type AskFor } from './job-at.js'
import { snapshotCounts } from './snapshot-rows.js'

type SnapshotAct = Extract<Act, { kind: (typeof snapshotKinds)[number] }>

/** Tells an act on snapshots from others. */
export const isSnapshotAct = (act: Act): act is SnapshotAct => snapshotKinds.some((kind) => kind === act.kind)

/** For a locked server. NOT_FOUND, MOVE_NOT_ALLOWED, NO_STOCK, LOCKED. */
export async function askForSnapshot(
  tx: Tx,
  { act, place, ...ask }: AskFor<SnapshotAct['kind']>,
  now: Date,
): Promise<string> {
  const jobOf = (payload: { kind: SnapshotAct['kind']; snapshotId: string }, secretId: string | null) =>
    enqueueJob(tx, { ...jobAt(place, { ...ask, secretId }), payload }, now)
  if (act.kind === 'snapshot') {
    const snapshotId = uuidv7()
    const jobId = await jobOf({ kind: 'snapshot', snapshotId }, null)
    await addSnapshot(tx, snapshotId, act.name, place, now)
    return jobId
  }
  const { snapshotId } = act
  const snapshot = await tx
    .selectFrom('snapshots')
    .select(['secret_id', 'made_at'])
    .where('id', '=', snapshotId)
    .where('server_id', '=', place.serverId)
    .where('generation', '=', place.generation)
    .executeTakeFirst()
  if (!snapshot) fail('NOT_FOUND', { message: text.noSnapshot })
  if (act.kind === 'deleteSnapshot') return jobOf({ kind: act.kind, snapshotId }, null)
  const reason = snapshotCan.revert(snapshot.made_at ? 'READY' : 'FAILED')
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  return jobOf({ kind: act.kind, snapshotId }, snapshot.secret_id)
}

/** With the present password; its room counts at once. */
async function addSnapshot(tx: Tx, id: string, name: string, place: HeldPlace, now: Date): Promise<void> {
  const { serverId, generation, diskGb } = place
  const row = await tx
    .selectFrom('servers as s')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .select(['s.secret_id', 's.iso_booted_at'])
    .select(snapshotCounts)
    .where('s.id', '=', serverId)
    .executeTakeFirstOrThrow()
  const reason = snapshotCan.take({ used: row.usedSnapshots, most: row.mostSnapshots })
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  if (!(await hasDiskRoom(tx, place.id, diskGb)))
    fail('NO_STOCK', { message: '服务器所在的宿主机存储空间不足，暂时无法创建快照，请联系客服' })
  await tx
    .insertInto('snapshots')
    .values({
      id,
      server_id: serverId,
      placement_id: place.id,
      generation,
      name,
      disk_gb: diskGb,
      secret_id: row.secret_id,
      iso_booted_at: row.iso_booted_at,
      created_at: now,
    })
    .execute()
  await countSnapshots(tx, place.id)
}
