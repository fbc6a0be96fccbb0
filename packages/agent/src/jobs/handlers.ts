import type { JobKind } from '@vps/shared/jobs'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { backup, checkBackups, deleteBackup } from './backup.js'
import { destroy } from './destroy.js'
import { applyFirewall } from './firewall.js'
import type { Handler } from './handler.js'
import { install } from './install.js'
import { ejectIso, insertIso } from './iso.js'
import { restart, start, stop } from './power.js'
import { redefine } from './redefine.js'
import { enterRescue, leaveRescue } from './rescue.js'
import { resetPassword } from './reset-password.js'
import { resize } from './resize.js'
import { restore } from './restore.js'
import { revert } from './revert.js'
import { deleteSnapshot, snapshot } from './snapshot.js'

const handlers: Record<JobKind, (payload: JobPayload) => Handler> = {
  install,
  reinstall: install,
  start: () => start,
  stop: () => stop,
  restart: () => restart,
  resetPassword,
  destroy: () => destroy,
  redefine: () => redefine,
  resize,
  snapshot: () => snapshot,
  revert,
  deleteSnapshot: () => deleteSnapshot,
  enterRescue,
  leaveRescue,
  applyFirewall: () => applyFirewall,
  backup,
  restore,
  deleteBackup: () => deleteBackup,
  checkBackups,
  insertIso: () => insertIso,
  ejectIso: () => ejectIso,
}

/** Null for an act of a later API. */
export const handlerOf = (payload: JobPayload): Handler | null =>
  Object.hasOwn(handlers, payload.kind) ? handlers[payload.kind](payload) : null
