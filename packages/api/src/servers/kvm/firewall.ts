import type { Tx } from '../../db/client.js'
import { heldPlace, type HeldPlace } from '../../fleet/placements.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { migrates } from '../../jobs/is-migrating.js'
import { isBusy } from '../../jobs/is-open.js'
import type { JobRow } from '../../jobs/claim.js'
import { saveFirewall, savedAgain } from './firewall-rows.js'
import { jobAt, type AskFor } from './job-at.js'

/** For a locked server: saved, and its host asked to apply it when it can. CONFLICT, LOCKED. */
export async function applyFirewall(
  tx: Tx,
  { act, place, ...ask }: AskFor<'applyFirewall'>,
  now: Date,
): Promise<string> {
  const { seen, firewall } = act
  const revision = await saveFirewall(tx, { serverId: place.serverId, seen, firewall }, now)
  const open = await openJobs(tx, place)
  // On an absent host nobody waits for earlier rules.
  const replace = open.length > 0 && open.every(({ kind, status }) => kind === 'applyFirewall' && status === 'QUEUED')
  const payload = { kind: 'applyFirewall' as const, revision, firewall }
  return enqueueJob(tx, { ...jobAt(place, ask), payload }, now, { replace })
}

/** After another act's end: asks for what it put off. With yet another open, after that. */
export async function catchUpFirewall(
  tx: Tx,
  { server_id: serverId, order_id: orderId }: Pick<JobRow, 'server_id' | 'order_id'>,
  now: Date,
): Promise<void> {
  const place = await heldPlace(tx, serverId).executeTakeFirst()
  if (!place || (await openJobs(tx, place)).length > 0 || (await migrates(tx, serverId))) return
  const saved = await savedAgain(tx, serverId, now)
  await enqueueJob(tx, { ...jobAt(place, { orderId }), payload: { kind: 'applyFirewall', ...saved } }, now)
}

function openJobs(tx: Tx, { serverId, hostId }: HeldPlace) {
  return tx
    .selectFrom('jobs')
    .select(['kind', 'status'])
    .where('server_id', '=', serverId)
    .where('host_id', '=', hostId)
    .where(isBusy())
    .execute()
}
