import type { JobPayload } from '@vps/shared/jobs.contract'
import type { Tx } from '../../db/client.js'
import { heldPlace } from '../../fleet/placements.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import type { Act, Ask } from '../driver/driver.js'
import { jobAt } from './job-at.js'
import { reinstallMachine } from './reinstall.js'
import { askForSnapshot, isSnapshotAct } from './snapshots.js'

const graceSeconds = 60

/** Null without a machine. */
export async function askHost(tx: Tx, serverId: string, ask: Ask, now: Date): Promise<string | null> {
  const place = await heldPlace(tx, serverId).executeTakeFirst()
  if (!place) return null
  const { act } = ask
  if (act.kind === 'reinstall') return reinstallMachine(tx, serverId, { ...ask, act, place }, now)
  if (isSnapshotAct(act)) return askForSnapshot(tx, { ...ask, act, place }, now)
  const payload = await payloadOf(tx, serverId, act)
  return enqueueJob(tx, { ...jobAt(place, ask), payload }, now, modeOf(act))
}

type PlainAct = Exclude<Act, { kind: 'reinstall' | 'snapshot' | 'revert' | 'deleteSnapshot' }>

async function payloadOf(tx: Tx, serverId: string, act: PlainAct): Promise<JobPayload> {
  switch (act.kind) {
    case 'start':
    case 'resume':
      return { kind: 'start' }
    case 'restart':
      return { kind: 'restart' }
    case 'stop':
      return { kind: 'stop', force: act.force, graceSeconds: act.force ? 0 : graceSeconds }
    case 'suspend':
      return { kind: 'stop', force: false, graceSeconds }
    case 'resetPassword': {
      const server = await tx
        .selectFrom('servers')
        .select('username')
        .where('id', '=', serverId)
        .executeTakeFirstOrThrow()
      return { kind: 'resetPassword', username: server.username, byRestart: act.byRestart }
    }
  }
}

/** The order's life is never refused; power cuts and suspensions do not wait. */
function modeOf(act: Act): { replace?: boolean; abort?: boolean } {
  if (act.kind === 'suspend' || (act.kind === 'stop' && act.force)) return { replace: true, abort: true }
  return act.kind === 'resume' ? { replace: true } : {}
}
