import { dayRange, recordRef, wordOf } from '@vps/shared/fields.contract'
import { jobKinds, jobStatuses } from '@vps/shared/jobs'
import { jobLogLine, jobStep, jobView } from '@vps/shared/jobs.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { fail } from '../errors.js'
import { idempotencyKey } from '../idempotency.js'
import { runJobNow, pageJobs } from '../jobs/manage-jobs.js'
import { findJob } from '../jobs/queries.js'
import { retryJob } from './retry-job.js'
import { callOffJob, takeOverJob } from './steer-jobs.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly, signedIn } from '../trpc/procedures.js'

const jobRow = z.object({
  id: z.uuid(),
  kind: wordOf(jobKinds),
  status: z.enum(jobStatuses),
  serverId: z.uuid(),
  serverName: z.string(),
  hostId: z.uuid().nullable(),
  hostName: z.string().nullable(),
  orderId: z.uuid().nullable(),
  orderNumber: z.string().nullable(),
  ownerId: z.uuid().nullable(),
  ownerName: z.string().nullable(),
  attempt: z.int(),
  percentage: z.int(),
  steps: z.array(jobStep),
  error: z.string().nullable(),
  detail: z.string().nullable(),
  log: z.array(jobLogLine),
  by: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
})

export const jobsRouter = router({
  /** For its tenant and ADMIN. */
  get: signedIn
    .input(recordRef)
    .output(jobView)
    .query(async ({ ctx, input }) => {
      const job = await findJob(ctx.db, input.id)
      if (!job) fail('NOT_FOUND')
      if (ctx.user.role !== 'ADMIN' && job.tenantId !== ctx.user.id) fail('NOT_FOUND')
      return job.view
    }),

  list: adminOnly
    .input(
      pageInput.extend({
        status: z.enum(jobStatuses, { error: '任务状态不正确' }).optional(),
        kind: z.enum(jobKinds, { error: '任务类型不正确' }).optional(),
        serverId: z.uuid().optional(),
        hostId: z.uuid().optional(),
        ...dayRange.shape,
      }),
    )
    .output(pageOf(jobRow))
    .query(({ ctx, input }) => pageJobs(ctx.db, input)),
  runNow: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => runJobNow(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  cancel: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => callOffJob(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  adopt: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => takeOverJob(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  retry: adminOnly
    .concat(keyed('jobs.retry'))
    .input(recordRef.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await ctx.once(input, (tx, now) => retryJob(tx, ctx.user, input.id, now)),
    })),
})
