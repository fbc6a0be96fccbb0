import { hostname } from 'node:os'
import type { FindingFacts } from '@vps/shared/finding-facts'
import { findingKinds } from '@vps/shared/findings'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { recordFinding, resolveOf, staleOfShop } from './findings.js'

/** What a process says of itself. */
type KindOfProcess = (typeof findingKinds.process)[number]

const me = `${hostname()} (${process.pid})`
const told = new WeakMap<Deps, Map<KindOfProcess, Date>>()
const tellAgainMs = 60_000

/** Once a minute while it lasts; without details it is over. True where it is news. */
export async function tellOfProcess(
  deps: Deps,
  kind: KindOfProcess,
  details: FindingFacts | null,
  now: Date,
): Promise<boolean> {
  const mine = told.get(deps) ?? new Map<KindOfProcess, Date>()
  told.set(deps, mine)
  const last = mine.get(kind)
  if (details === null) {
    if (mine.delete(kind)) await inTx(deps.db, (tx) => resolveOf(tx, kind, me, now))
    return false
  }
  if (last && now.getTime() - last.getTime() < tellAgainMs) return false
  await inTx(deps.db, (tx) => recordFinding(tx, { hostId: null, kind, subject: me, details }, now))
  mine.set(kind, now)
  return last === undefined
}

/** Of processes that tell no more: most were ended to mend what they told. */
export async function findSilentProcesses(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const silent = await staleOfShop(db, findingKinds.process, now)
    .where(outside(batch, 'id'))
    .limit(batch.limit)
    .execute()
  return silent.map(({ id }) => id)
}

/** Unless it was told again meanwhile. */
export async function resolveSilentProcess(tx: Tx, id: string, now: Date): Promise<void> {
  const silent = await staleOfShop(tx, findingKinds.process, now).where('id', '=', id).executeTakeFirst()
  if (silent) await resolveOf(tx, silent.kind, silent.subject, now)
}
