import type { User } from '../actor.js'
import type { Tx } from '../db/client.js'
import { adoptJob, cancelJob } from '../jobs/manage-jobs.js'
import { jobUntold } from './outcomes.js'

/** One that waits for its next try has ended with what the one before had done. NOT_FOUND, MOVE_NOT_ALLOWED. */
export async function callOffJob(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  await jobUntold(tx, await cancelJob(tx, admin, id, now), now)
}

/** The same of one that gives way to what was asked meanwhile. NOT_FOUND, MOVE_NOT_ALLOWED. */
export async function takeOverJob(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  await jobUntold(tx, await adoptJob(tx, admin, id, now), now)
}
