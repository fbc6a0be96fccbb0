import type { JobPayload } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { refuseElsewhere } from '../../findings/findings.js'
import { heldPlace, type HeldPlace } from '../../fleet/placements.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { migrates } from '../../jobs/is-migrating.js'
import type { Act, Ask } from '../driver/driver.js'
import { askForBackup, askForRestore } from './backups.js'
import { applyFirewall } from './firewall.js'
import { ejectIso, insertIso, refuseWithIso } from './iso.js'
import { jobAt } from './job-at.js'
import { observeReplaced } from './outcome.js'
import { endReplacedReinstall, reinstallMachine } from './reinstall.js'
import { enterRescue, leaveRescue, refuseInRescue } from './rescue.js'
import { askForSnapshot, isSnapshotAct } from './snapshots.js'

const graceSeconds = 60
/** Not of the rescue system that may have the machine; snapshots neither. */
const ofOwnSystem: readonly Act['kind'][] = ['resetPassword', 'restore']

const needsDrive: ReadonlySet<Act['kind']> = new Set(['enterRescue', 'resetPassword', 'revert'])

/** Null without a machine, and where its order's life meets a migration, which ends as the order says. */
export async function askHost(tx: Tx, serverId: string, ask: Ask, now: Date): Promise<string | null> {
  const place = await heldPlace(tx, serverId).select(waitsToBackUp.as('waitsToBackUp')).executeTakeFirst()
  if (!place) return null
  const { act } = ask
  if ((act.kind === 'suspend' || act.kind === 'resume') && (await migrates(tx, serverId))) return null
  const mode = modeOf(act)
  const jobId = await enqueueAct(tx, place, ask, mode, now)
  if (mode.replace) await endReplacedReinstall(tx, serverId, now)
  if (mode.replace || place.waitsToBackUp) await observeReplaced(tx, place, now)
  return jobId
}

/** A backup waits for its next try, and its copy may be whole: of what other acts replace unasked nothing lasts. */
const waitsToBackUp = sql<boolean>`exists (select from jobs b where b.server_id = placements.server_id
  and b.host_id = placements.host_id and b.kind = 'backup' and b.status = 'QUEUED' and b.attempt > 0)`

async function enqueueAct(tx: Tx, place: HeldPlace, ask: Ask, mode: Mode, now: Date): Promise<string> {
  const { serverId } = place
  const { act } = ask
  if (act.kind === 'reinstall' || act.kind === 'restore') await refuseElsewhere(tx, serverId)
  if (act.kind === 'reinstall') return reinstallMachine(tx, { ...ask, act, place }, now)
  if (act.kind === 'insertIso') return insertIso(tx, { ...ask, act, place }, now)
  if (act.kind === 'ejectIso') return ejectIso(tx, { ...ask, place }, now)
  if (needsDrive.has(act.kind)) refuseWithIso(place)
  if (act.kind === 'enterRescue') return enterRescue(tx, { ...ask, place }, now)
  if (act.kind === 'leaveRescue') return leaveRescue(tx, { ...ask, place }, now)
  if (act.kind === 'applyFirewall') return applyFirewall(tx, { ...ask, act, place }, now)
  if (isSnapshotAct(act) || ofOwnSystem.includes(act.kind)) refuseInRescue(place)
  if (act.kind === 'backup') return askForBackup(tx, { ...ask, act, place }, now)
  if (act.kind === 'restore') return askForRestore(tx, { ...ask, act, place }, now)
  if (isSnapshotAct(act)) return askForSnapshot(tx, { ...ask, act, place }, now)
  const payload = await payloadOf(tx, place, act)
  return enqueueJob(tx, { ...jobAt(place, ask), payload }, now, mode)
}

type PlainAct = Extract<Act, { kind: 'start' | 'restart' | 'stop' | 'resetPassword' | 'suspend' | 'resume' }>

async function payloadOf(tx: Tx, { serverId, rescueId }: HeldPlace, act: PlainAct): Promise<JobPayload> {
  switch (act.kind) {
    case 'start':
    case 'resume':
      return { kind: 'start' }
    case 'restart':
      return { kind: 'restart' }
    case 'stop':
      return { kind: 'stop', force: act.force, graceSeconds: act.force ? 0 : graceSeconds }
    case 'suspend':
      // Whoever pays again finds the machine as it was.
      return rescueId
        ? { kind: 'leaveRescue', start: false }
        : { kind: 'stop', force: false, graceSeconds, staysOff: true }
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

type Mode = { replace?: boolean; abort?: boolean }

/** The order's life is never refused; power cuts and suspensions do not wait. */
function modeOf(act: Act): Mode {
  if (act.kind === 'suspend' || (act.kind === 'stop' && act.force)) return { replace: true, abort: true }
  return act.kind === 'resume' ? { replace: true } : {}
}
