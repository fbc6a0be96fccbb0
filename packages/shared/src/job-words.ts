import * as states from './states.js'
import * as verbs from './verbs.js'

export const actionWords: Record<string, string> = {
  install: '安装',
  reinstall: verbs.reinstall,
  start: verbs.start,
  stop: verbs.stop,
  restart: verbs.restart,
  resetPassword: verbs.resetPassword,
  resize: verbs.upgrade,
  destroy: '释放',
  redefine: verbs.redefine,
  snapshot: verbs.takeSnapshot,
  revert: verbs.revertSnapshot,
  deleteSnapshot: verbs.deleteSnapshot,
  enterRescue: verbs.enterRescue,
  leaveRescue: verbs.leaveRescue,
  insertIso: verbs.insertIso,
  ejectIso: verbs.ejectIso,
  applyFirewall: verbs.applyFirewall,
  backup: verbs.backUp,
  restore: verbs.restoreBackup,
  deleteBackup: verbs.deleteBackup,
  checkBackups: verbs.checkBackups,
}

export const jobStatusWords: Record<string, string> = {
  QUEUED: states.queued,
  RUNNING: states.running,
  SUCCEEDED: states.succeeded,
  FAILED: states.failed,
  SUPERSEDED: '已被取代',
  CANCELLED: states.cancelled,
}
