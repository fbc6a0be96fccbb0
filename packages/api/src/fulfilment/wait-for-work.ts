import type { FindingFacts } from '@vps/shared/finding-facts'
import type { ClaimedJob, ClaimReply } from '@vps/shared/agent.contract'
import { jobPayload, type JobResult } from '@vps/shared/jobs.contract'
import { leaseSeconds } from '@vps/shared/jobs'
import * as text from '@vps/shared/text'
import { NoResultError } from 'kysely'
import * as z from 'zod'
import type { claimInput } from '@vps/shared/agent.contract'
import type { Tx } from '../db/client.js'
import { openRepository, openRepositoryOf } from '../backups/repository.js'
import { claimRepositoryTest, finishRepositoryTest } from '../backups/repository-tests.js'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { recordFinding } from '../findings/findings.js'
import { admitAgent } from '../fleet/hosts.js'
import { fail } from '../errors.js'
import { findUnheard, type ClaimedRow, type JobRow } from '../jobs/claim.js'
import { claimConnectionTests } from '../servers/kvm/connection-tests.js'
import { claimRemoteConsoles } from '../remote/remote-consoles.js'
import { must } from '../must.js'
import { UnreadableSecret, type Vault } from '../vault.js'
import { claimAgain, claimDue, finishWithResult } from './dispatch.js'
import { findWork, type Found } from './find-work.js'

/** What a lost wake-up costs at most. */
const lookEveryMs = 5_000

/**
 * At most `waitSeconds`, for a host's one living agent. Listens before it looks, so that nothing falls between; looks
 * every 5 s too, also at the token: it may be revoked.
 */
export async function waitForWork(
  deps: Deps,
  token: string,
  input: z.output<typeof claimInput>,
  signal: AbortSignal | undefined,
): Promise<ClaimReply> {
  const deadline = deps.now().getTime() + input.waitSeconds * 1000
  let wake = () => {}
  let woken = false
  let hostId: string | null = null
  const stop = deps.notifications.listen((notification) => {
    if (notification !== null && !('host' in notification && [null, notification.host].includes(hostId))) return
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
      const host = (await findWork(deps.db, token, input)) ?? fail('UNAUTHENTICATED')
      if (hostId === null) await admitAgent(deps.db, host, input, deps.now())
      hostId = host.id
      const isDue = host.due || host.hasTests || host.hasConsoles || host.hasHeld
      const reply = isDue && !ended() ? await handOut(deps, host, input) : nothing
      const left = deadline - deps.now().getTime()
      if (hasSome(reply) || left <= 0 || ended()) return reply
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

const hasSome = ({ job, ...lists }: ClaimReply) => job !== null || Object.values(lists).some((list) => list.length > 0)

const nothing: ClaimReply = { job: null, connectionTests: [], consoles: [], repositoryTests: [] }

async function handOut(deps: Deps, found: Found, input: z.output<typeof claimInput>): Promise<ClaimReply> {
  const now = deps.now()
  const { reply, unfit } = await inTx(deps.db, async (tx) => {
    const connectionTests = found.hasTests ? await claimConnectionTests(tx, found.id) : []
    const repositoryTests = found.hasTests ? await handOutTest(tx, found.id, deps.vault) : []
    const consoles = found.hasConsoles ? await claimRemoteConsoles(tx, found.id, now) : []
    const asked = { connectionTests, consoles, repositoryTests }
    const again = found.hasHeld ? await heldBefore(tx, found.id, input, now) : null
    const job = again ?? (found.due ? await claimDue(tx, found.due, input.instanceId, now) : null)
    try {
      return { reply: { ...asked, job: job && (await toClaimed(tx, job, deps.vault)) }, unfit: null }
    } catch (error) {
      const result = whyUnfit(error)
      if (!job || !result) throw error
      return { reply: { ...asked, job: null }, unfit: { job, result } }
    }
  })
  // Apart: who ends a job has its server first (docs/money.md), and the claim has the job.
  if (unfit) await inTx(deps.db, (tx) => giveUpOn(tx, unfit.job, unfit.result, now))
  return reply
}

/** First what an earlier start of the agent holds, then what this one was given unheard. */
async function heldBefore(
  tx: Tx,
  hostId: string,
  { instanceId, freeLanes, running }: z.output<typeof claimInput>,
  now: Date,
): Promise<ClaimedRow | null> {
  const jobIds = running.map(({ jobId }) => jobId)
  const held = await claimAgain(tx, hostId, instanceId, jobIds, now)
  return held ?? (freeLanes > 0 ? findUnheard(tx, hostId, instanceId, running) : null)
}

async function handOutTest(tx: Tx, hostId: string, vault: Vault): Promise<ClaimReply['repositoryTests']> {
  const test = await claimRepositoryTest(tx, hostId)
  if (!test) return []
  try {
    return [{ id: test.id, repository: await openRepository(tx, vault, test.repositoryId) }]
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error
    await finishRepositoryTest(tx, hostId, { id: test.id, problem: 'other', detail: unreadable.message })
    return []
  }
}

/** What no agent can be given would block its host's jobs for ever. */
async function giveUpOn(tx: Tx, job: JobRow, result: JobResult, now: Date): Promise<void> {
  const report = { jobId: job.id, attempt: job.attempt, steps: [], percentage: 0, result }
  await finishWithResult(tx, job.host_id, report, now)
  if (result !== unreadable) return
  const details: FindingFacts = { jobId: job.id, jobKind: job.kind }
  await recordFinding(tx, { hostId: job.host_id, kind: 'unreadable-secret', subject: job.server_id, details }, now)
}

const hopeless = { ok: false, final: true, aborted: false, power: 'unknown' } as const
export const unreadable = { ...hopeless, message: text.unreadablePassword, detail: 'APP_SECRET' } satisfies JobResult
const gone = { ...hopeless, message: text.noBackup, detail: 'its row is gone' } satisfies JobResult
const invalid = (error: z.ZodError): JobResult => ({
  ...hopeless,
  message: '任务内容无效',
  detail: z.prettifyError(error).slice(0, 500),
})

/** Null: another fault, and no word about the job. */
function whyUnfit(error: unknown): JobResult | null {
  if (error instanceof UnreadableSecret) return unreadable
  if (error instanceof z.ZodError) return invalid(error)
  return error instanceof NoResultError ? gone : null
}

async function toClaimed(tx: Tx, job: ClaimedRow, vault: Vault): Promise<ClaimedJob> {
  const { secret_id: id, sealed } = job
  const payload = jobPayload.parse(job.payload)
  return {
    id: job.id,
    serverId: job.server_id,
    attempt: job.attempt,
    leaseSeconds,
    generation: { epoch: job.epoch, number: job.generation },
    payload,
    secrets: id ? { password: vault.open({ id, valueEnc: must(sealed) }) } : null,
    ...('repositoryId' in payload ? { repository: await openRepository(tx, vault, payload.repositoryId) } : {}),
    ...('backupId' in payload
      ? { repository: await openRepositoryOf(tx, vault, { backupId: payload.backupId, hostId: job.host_id }) }
      : {}),
  }
}
