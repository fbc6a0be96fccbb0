import type { ClaimedJob, ClaimReply } from '@vps/shared/agent'
import { jobPayload, leaseSeconds } from '@vps/shared/jobs'
import type * as z from 'zod'
import type { claimInput } from '@vps/shared/agent'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { noteFinding } from '../fleet/findings.js'
import { finishJob } from '../jobs/finish.js'
import { fail } from '../errors.js'
import { claimJob, peekNext, reclaim, type JobRow } from '../jobs/claim.js'
import { handConnectionTests } from '../servers/connection-tests.js'
import { openSecret } from '../servers/secrets.js'
import { UnreadableSecret } from '../vault.js'
import { jobFailed, jobStarted, lockOrderOf } from './outcomes.js'

/** A lost wake-up costs at most this. */
const lookEveryMs = 5_000

/**
 * Answers at once when there is work for the host, else when its wake-up comes, at the latest after `waitSeconds`. Listens
 * before it looks, so that nothing falls between; looks every 5 s even without a wake-up.
 */
export async function waitForWork(
  deps: Deps,
  hostId: string,
  input: z.output<typeof claimInput>,
  signal: AbortSignal | undefined,
  isStillHost: () => Promise<boolean>,
): Promise<ClaimReply> {
  const deadline = deps.now().getTime() + input.waitSeconds * 1000
  let wake = () => {}
  let woken = false
  const stop = deps.hints.listen((hint) => {
    if (hint !== null && !('host' in hint && hint.host === hostId)) return
    woken = true
    wake()
  })
  const aborted = () => wake()
  const { signal: stopping } = deps.stopping
  const ended = () => signal?.aborted || stopping.aborted
  signal?.addEventListener('abort', aborted)
  stopping.addEventListener('abort', aborted)
  try {
    for (;;) {
      woken = false
      // A token may be revoked while its holder waits.
      if (!(await isStillHost())) fail('UNAUTHENTICATED')
      const reply = await look(deps, hostId, input)
      const left = deadline - deps.now().getTime()
      if (reply.job || reply.connectionTests.length > 0 || left <= 0 || ended()) return reply
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, lookEveryMs))
        wake = () => (clearTimeout(timer), resolve())
        if (woken || ended()) wake()
      })
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', aborted)
    stopping.removeEventListener('abort', aborted)
  }
}

async function look(deps: Deps, hostId: string, input: z.output<typeof claimInput>): Promise<ClaimReply> {
  const now = deps.now()
  return inTx(deps.db, async (tx) => {
    const connectionTests = await handConnectionTests(tx, hostId)
    const held = input.running.map((job) => job.jobId)
    const again = await reclaim(tx, hostId, input.instanceId, held)
    const job = again ?? (input.freeLanes > 0 ? await takeNext(tx, hostId, input.instanceId, now) : null)
    if (job) await jobStarted(tx, job, now)
    try {
      return { job: job && (await toClaimed(job, (id) => openSecret(tx, deps.vault, id))), connectionTests }
    } catch (error) {
      if (!job || !(error instanceof UnreadableSecret)) throw error
      await failUnreadable(tx, job, now)
      return { job: null, connectionTests }
    }
  })
}

/** A job whose password no key opens ends here, or it would stand before all others of its host for ever. */
async function failUnreadable(tx: Tx, job: JobRow, now: Date): Promise<void> {
  const message = '密码无法解密'
  const result = { ok: false, message, detail: 'APP_SECRET', final: true, aborted: false, power: 'unknown' } as const
  const ended = await finishJob(
    tx,
    job.host_id,
    { jobId: job.id, attempt: job.attempt, steps: [], percentage: 0, result },
    now,
  )
  if (ended) await jobFailed(tx, ended.job, result, message, now)
  const details = { jobId: job.id, jobKind: job.kind }
  await noteFinding(tx, { hostId: job.host_id, kind: 'unreadable-secret', subject: job.server_id, details }, now)
}

/** The order is locked before its job (docs/money.md), so the job is looked at first and taken second. */
async function takeNext(tx: Tx, hostId: string, instanceId: string, now: Date): Promise<JobRow | null> {
  const due = await peekNext(tx, hostId)
  if (!due) return null
  await lockOrderOf(tx, due.id)
  return claimJob(tx, due.id, instanceId, now)
}

async function toClaimed(job: JobRow, open: (secretId: string) => Promise<string>): Promise<ClaimedJob> {
  return {
    id: job.id,
    serverId: job.server_id,
    attempt: job.attempt,
    leaseSeconds,
    generation: { epoch: job.epoch, number: job.generation },
    payload: jobPayload.parse(job.payload),
    secrets: job.secret_id ? { password: await open(job.secret_id) } : null,
  }
}
