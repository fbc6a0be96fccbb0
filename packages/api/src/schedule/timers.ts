import { findAlerts, tellAdministrators } from '../alerts/alerts.js'
import type { Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { checkDue, findDueChecks, findLateChecks, tellLateCheck } from '../backups/due-checks.js'
import { askToForget, findForgettable } from '../backups/forget-due.js'
import { findLostLeases } from '../jobs/sweep.js'
import { cancelDueUnpaid, findUnpaid } from '../orders/cancel-unpaid.js'
import { backUpDue, findDueBackups, findLateBackups, tellLateBackup } from '../fulfilment/due-backups.js'
import { findPowerMismatches, repeatPower } from '../fulfilment/enforce-power.js'
import { countExpired, expireOrder, findPastGrace } from '../orders/expire-order.js'
import { recordFinding } from '../findings/findings.js'
import { findSilentProcesses, resolveSilentProcess } from '../findings/of-process.js'
import { endLostLease } from '../fulfilment/dispatch.js'
import { ejectForgottenIso, findForgottenIsos } from '../fulfilment/eject-isos.js'
import { findCrashed, restartCrashed } from '../fulfilment/restart-crashed.js'
import { findUnreminded, remind } from '../orders/remind.js'
import { findEnded, findRecharged, renewOrSuspend, renewRecharged } from '../orders/renew-due.js'
import { resolveOfHost } from '../findings/findings.js'
import { endStranded, findFoundOnRetired, findStranded } from '../fulfilment/retired-hosts.js'
import { beginWaiting, findMigrationsToBegin, findUnsettledMigrations, settle } from '../fulfilment/migrate-servers.js'
import { findEnlarged, restoreSize } from '../fulfilment/restore-size.js'
import { countRefundedOverdue, findOverdue, findUnclaimed, moveUnclaimed, refundOverdue } from '../fulfilment/set-up.js'
import { findLostUpgrades, findWaitingUpgrades, giveUpWaiting, reverseUpgrade } from '../fulfilment/upgrade-ends.js'
import { findUncleaned, repeatCleanUp } from '../fulfilment/clean-up.js'
import { deleteLeftSnapshot, findLeftSnapshots } from '../fulfilment/left-snapshots.js'
import type { Ended } from './brake.js'

/**
 * `find` only looks; `act` locks the row, asks again, and does it in one transaction: with many processes each thing
 * happens once.
 */
export type Timer = {
  name: string
  find: (db: Db, now: Date, batch: Batch) => Promise<string[]>
  act: (tx: Tx, id: string, now: Date) => Promise<void>
  /** For irreversible timers' brake. */
  ended?: Ended
  /** Nobody waits, or looking is costly. */
  minutely?: true
  /** Takes an agent's silence for its own: not before it could be heard again. */
  ofSilence?: true
}

/** In this order: returned money may pay a renewal, and renewals precede the end of grace. */
export const timers: readonly Timer[] = [
  { name: 'lost lease', find: findLostLeases, act: endLostLease, ofSilence: true },
  { name: 'migration left alone', find: findUnsettledMigrations, act: settle, ofSilence: true },
  { name: 'migration to begin', find: findMigrationsToBegin, act: beginWaiting },
  { name: 'set-up overdue', find: findOverdue, act: refundOverdue, ended: countRefundedOverdue, ofSilence: true },
  { name: 'set-up unclaimed', find: findUnclaimed, act: moveUnclaimed, ofSilence: true },
  { name: 'machine crashed', find: findCrashed, act: restartCrashed },
  { name: 'disc forgotten', find: findForgottenIsos, act: ejectForgottenIso, minutely: true },
  { name: 'order unpaid', find: findUnpaid, act: cancelDueUnpaid, minutely: true },
  { name: 'upgrade not begun', find: findWaitingUpgrades, act: giveUpWaiting },
  { name: 'upgrade lost', find: findLostUpgrades, act: reverseUpgrade },
  { name: 'machine larger than ordered', find: findEnlarged, act: restoreSize },
  { name: 'period ended', find: findEnded, act: renewOrSuspend },
  { name: 'recharged in grace', find: findRecharged, act: renewRecharged },
  { name: 'grace over', find: findPastGrace, act: expireOrder, ended: countExpired },
  { name: 'reminder', find: findUnreminded, act: remind, minutely: true },
  { name: 'power not as asked', find: findPowerMismatches, act: repeatPower, minutely: true },
  { name: 'backup due', find: findDueBackups, act: backUpDue, minutely: true },
  { name: 'backup late', find: findLateBackups, act: tellLateBackup, minutely: true },
  { name: 'backup unneeded', find: findForgettable, act: askToForget },
  { name: 'backups unchecked', find: findDueChecks, act: checkDue, minutely: true },
  { name: 'backup check late', find: findLateChecks, act: tellLateCheck, minutely: true },
  { name: 'left of a backup', find: findLeftSnapshots, act: deleteLeftSnapshot, minutely: true },
  { name: 'clean-up failed', find: findUncleaned, act: repeatCleanUp, minutely: true },
  { name: 'administrators to be told', find: findAlerts, act: tellAdministrators, minutely: true, ofSilence: true },
  { name: 'process not heard of', find: findSilentProcesses, act: resolveSilentProcess, minutely: true },
  { name: 'queued for a retired host', find: findStranded, act: endStranded, minutely: true },
  { name: 'found on a retired host', find: findFoundOnRetired, act: resolveOfHost, minutely: true },
]

/**
 * After a restored back-up, which knows of no renewal and no set-up since: what cannot be taken back waits for an
 * operator, as at its brake.
 */
export async function stopUntilAllowed(tx: Tx, now: Date): Promise<void> {
  for (const { name } of timers.filter(({ ended }) => ended))
    await recordFinding(tx, { hostId: null, kind: 'brake', subject: name, details: {} }, now)
}
