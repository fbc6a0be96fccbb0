import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { generatePassword } from '@vps/shared/password'
import { beatSeconds } from '@vps/shared/jobs'
import { sshPayload } from '@vps/shared/jobs.contract'
import { v7 as uuidv7 } from 'uuid'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { toRefusal } from '../errors.js'
import { beatJob } from '../jobs/beat.js'
import type { JobRow } from '../jobs/claim.js'
import { sshWorker } from '../jobs/ssh-worker.js'
import { UnreadableSecret } from '../vault.js'
import { deleteUnneeded, createSecret } from '../secrets/secrets.js'
import { setJobSecret } from '../jobs/secrets.js'
import { claimNext, finishWithResult } from './dispatch.js'
import { unreadable } from './wait-for-work.js'
import { actOnDedicatedServer } from '../servers/ssh/act-on-dedicated-server.js'

const lookEveryMs = 5_000
const atOnce = 4

/**
 * Dedicated servers' jobs, done as an agent does. Any number of processes. Woken by a notification, looks every 5 s.
 */
export function runSshJobs(deps: Deps): { stop(): Promise<void> } {
  const workerId = uuidv7()
  const running = new Set<Promise<void>>()
  let stopped = false
  let looking: Promise<void> | null = null

  async function look(): Promise<void> {
    while (!stopped && running.size < atOnce) {
      const job = await claimSshJob(deps, workerId)
      if (!job) return
      const done = runSshJob(deps, job)
        .catch((error: unknown) => deps.log.error({ err: error, jobId: job.id }, 'an ssh job broke off'))
        .finally(() => {
          running.delete(done)
          wake()
        })
      running.add(done)
    }
  }
  function wake(): void {
    if (stopped || !deps.health.answers || deps.health.isReadOnly) return
    looking ??= look()
      .catch((error: unknown) => deps.log.error({ err: error }, 'ssh jobs cannot be looked for'))
      .finally(() => (looking = null))
  }
  const unlisten = deps.notifications.listen((notification) => {
    if (notification === null || ('host' in notification && notification.host === sshWorker)) wake()
  })
  const timer = setInterval(wake, lookEveryMs)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      unlisten()
      await looking
      await Promise.all(running)
    },
  }
}

/** Claims one job. */
export async function claimSshJob(deps: Deps, workerId: string): Promise<JobRow | null> {
  return inTx(deps.db, (tx) => claimNext(tx, null, workerId, deps.now()))
}

/** Acts, and beats and reports as an agent would. */
export async function runSshJob(deps: Deps, claimed: JobRow, beatEveryMs = beatSeconds * 1_000): Promise<void> {
  const job = await withSecret(deps, claimed)
  if (!job) return
  const beating = setInterval(() => void beat(deps, job), beatEveryMs)
  try {
    const result = await actOnDedicatedServer(deps, job).catch((error: unknown) => {
      if (error instanceof UnreadableSecret) return unreadable
      throw error
    })
    await tellEnd(deps, { jobId: job.id, attempt: job.attempt, steps: [], percentage: 100, result })
  } finally {
    clearInterval(beating)
  }
}

const tellAgainMs = 1_000
const tellsAtMost = 600

/**
 * Until it is written: without its end an act is done again, and a machine restarted once more, or not reached where it
 * was turned off. A process that stops tells it once more.
 */
async function tellEnd(deps: Deps, report: Report): Promise<void> {
  const { signal } = deps.stopping
  for (let left = tellsAtMost, isLast = false; !isLast; left -= 1) {
    isLast = left === 0 || signal.aborted
    try {
      return void (await inTx(deps.db, (tx) => finishWithResult(tx, null, report, deps.now())))
    } catch (error) {
      if (isLast || toRefusal(error)?.code !== 'UNAVAILABLE') throw error
      if (left === tellsAtMost)
        deps.log.warn({ err: error, jobId: report.jobId }, 'the end of an ssh job could not be told yet')
      await setTimeout(tellAgainMs, undefined, { signal }).catch(() => {})
    }
  }
}
type Report = Parameters<typeof finishWithResult>[2]

/** A slow machine takes longer than a lease: a second try beside the first would set passwords against it. */
async function beat(deps: Deps, { id: jobId, attempt }: JobRow): Promise<void> {
  const progress = { jobId, attempt, steps: [], percentage: 0 }
  await inTx(deps.db, (tx) => beatJob(tx, null, progress)).catch((error: unknown) =>
    deps.log.error({ err: error, jobId }, 'an ssh job could not beat'),
  )
}

/**
 * A lock's new password is kept before it is set, or a crash would lose the machine. Null when the job is not ours any
 * more: do not set it.
 */
async function withSecret(deps: Deps, job: JobRow): Promise<JobRow | null> {
  if (job.secret_id !== null || sshPayload.parse(job.payload).ssh !== 'lock') return job
  const secret = deps.vault.seal(generatePassword((below) => randomInt(below), 24))
  const given = await inTx(deps.db, async (tx) => {
    await createSecret(tx, secret, deps.now())
    if (await setJobSecret(tx, job, secret.id)) return true
    await deleteUnneeded(tx, [secret.id])
    return false
  })
  return given ? { ...job, secret_id: secret.id } : null
}
