import { randomUUID } from 'node:crypto'
import type { JobPayload, JobResult } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import { inTx } from '../db/tx.js'
import { claimJob, findNextJob, type JobRow } from '../jobs/claim.js'
import { enqueueJob } from '../jobs/enqueue.js'
import { finishJob } from '../jobs/finish.js'
import { endLost } from '../jobs/sweep.js'
import { openSale } from './sale.js'
import { addHost } from './shop.js'

export type Lane = Awaited<ReturnType<typeof openLane>>

/** The queue alone: a placed server and a second host. */
export async function openLane() {
  const sale = await openSale()
  const { app, shop, host, buyActive } = sale
  const orderId = await buyActive()
  const place = await app.db.selectFrom('placements').selectAll().executeTakeFirstOrThrow()
  await app.db.deleteFrom('jobs').execute()
  const serverId = place.server_id
  const hostId = host.id
  const otherHostId = (await addHost(app, shop, { network: '10.8.0' })).id
  const now = () => app.deps.now()
  const [agentA, agentB] = [randomUUID(), randomUUID()]
  const tryClaim = (id: string, by = agentA) => inTx(app.db, (tx) => claimJob(tx, id, by, now()))
  return {
    ...sale,
    orderId,
    serverId,
    hostId,
    otherHostId,
    agentA,
    agentB,
    now,
    tryClaim,
    enqueue: (payload: JobPayload, mode = {}, host: string | null = hostId) =>
      inTx(app.db, (tx) =>
        enqueueJob(
          tx,
          { serverId, hostId: host, placementId: place.id, orderId: null, generation: 1, payload },
          now(),
          mode,
        ),
      ),
    jobOf: (id: string) => app.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    peek: (host: string | null = hostId) => inTx(app.db, (tx) => findNextJob(tx, host)),
    async claim(id: string): Promise<JobRow> {
      const job = await tryClaim(id)
      if (!job) throw new Error('the job cannot be claimed')
      return job
    },
    finish: (job: Pick<JobRow, 'id' | 'attempt'>, result: object = {}, host: string | null = hostId) =>
      inTx(app.db, (tx) =>
        finishJob(
          tx,
          host,
          {
            jobId: job.id,
            attempt: job.attempt,
            steps: [],
            percentage: 100,
            result: { ok: true, power: 'on', proven: false, ...result } as JobResult,
          },
          now(),
        ),
      ),
    loseLease: (id: string) =>
      app.db
        .updateTable('jobs')
        .set({ lease_until: sql`clock_timestamp() - interval '1 second'` })
        .where('id', '=', id)
        .execute(),
    takeLost: (id: string) => inTx(app.db, (tx) => endLost(tx, id, now())),
    dueNow: () =>
      app.db
        .updateTable('jobs')
        .set({ run_at: new Date(0) })
        .where('status', '=', 'QUEUED')
        .execute(),
  }
}

export const failed = { ok: false, message: '没有响应', detail: 'virsh: timed out', final: false, aborted: false }
export const start: JobPayload = { kind: 'start' }
export const restart: JobPayload = { kind: 'restart' }
export const stop: JobPayload = { kind: 'stop', force: true, graceSeconds: 0 }
