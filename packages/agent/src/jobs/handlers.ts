import type { JobKind } from '@vps/shared/jobs'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { destroy } from './destroy.js'
import type { Handler } from './handler.js'
import { install } from './install.js'
import { restart, start, stop } from './power.js'
import { redefine } from './redefine.js'
import { resetPassword } from './reset-password.js'
import { resize } from './resize.js'

/** Kind → handler, made anew per job; null where this agent does not know the act (yet). */
export const handlers: Record<JobKind, ((payload: JobPayload) => Handler) | null> = {
  install,
  reinstall: install,
  start: () => start,
  stop: () => stop,
  restart: () => restart,
  resetPassword,
  destroy: () => destroy,
  redefine: () => redefine,
  resize: () => resize,
  snapshot: null,
  revert: null,
  rescue: null,
}
