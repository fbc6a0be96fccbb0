import { auditView } from '@vps/shared/audit'
import {
  addressView,
  createHostInput,
  enrolmentView,
  findingView,
  hostLoad,
  hostView,
  imageInput,
  imageView,
  moveHostInput,
  poolInput,
  poolView,
  updateHostInput,
  updatePoolInput,
} from '@vps/shared/fleet'
import { jobKinds, jobLogLine, jobStatuses, jobStep } from '@vps/shared/jobs'
import { latencyView, timedDoors } from '@vps/shared/latency'
import { fenToYuan } from '@vps/shared/money.contract'
import { orderFilter, orderStatuses, orderView, refundStatuses } from '@vps/shared/orders'
import { overviewView } from '@vps/shared/overview'
import { pageInput, pageOf, searchPageInput } from '@vps/shared/page'
import { metricRanges } from '@vps/shared/servers'
import * as z from 'zod'
import { announceMaintenance } from '../announcements/announcements.js'
import { cleanStray } from '../servers/clean-stray.js'
import { redefineServer } from '../servers/redefine.js'
import { retryJob } from '../servers/retry-job.js'
import { pageAudit } from '../audit/queries.js'
import { createImage, deleteImage, pageImages, readImage, updateImage } from '../catalogue/images.js'
import { inTx } from '../db/tx.js'
import type { SignedInContext } from '../doors/caller.js'
import { adminOnly, router } from '../trpc/init.js'
import { idempotencyKey, inTxOnce } from '../idempotency.js'
import { pageFindings, resolveFinding } from '../fleet/findings.js'
import { readHostLoad } from '../fleet/host-load.js'
import {
  createHost,
  moveHost,
  pageHosts,
  readHost,
  renewEnrolment,
  revokeHostToken,
  updateHost,
  type Enrolment,
} from '../fleet/keep-hosts.js'
import {
  createPool,
  deletePool,
  pagePools,
  pageAddresses,
  readPool,
  reserveAddress,
  updatePool,
} from '../fleet/pools.js'
import { adoptJob, cancelJob, hurryJob, pageJobs } from '../jobs/keep-jobs.js'
import { pageAllOrders, pageRefunds } from '../orders/all-orders.js'
import { readLatency } from './latency.js'
import { readOverview } from './overview.js'

const ref = z.object({ id: z.uuid({ error: '记录不存在' }) })
const done = z.null()
const jobRow = z.object({
  id: z.uuid(),
  kind: z.enum(jobKinds),
  status: z.enum(jobStatuses),
  serverId: z.uuid(),
  serverName: z.string(),
  hostName: z.string().nullable(),
  orderId: z.uuid().nullable(),
  attempt: z.int(),
  percentage: z.int(),
  steps: z.array(jobStep),
  error: z.string().nullable(),
  detail: z.string().nullable(),
  /** What happened to it, a line per claim, retry, hand-over and end. */
  log: z.array(jobLogLine),
  by: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
})
const refundRow = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  orderNumber: z.string(),
  orderStatus: z.enum(orderStatuses),
  username: z.string(),
  reason: z.string(),
  status: z.enum(refundStatuses),
  paid: fenToYuan,
  refunded: fenToYuan.nullable(),
  decision: z.string().nullable(),
  decidedBy: z.string().nullable(),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
})

/** What operators see and do from the browser (menu 运营). ADMIN only. */
export const operationsRouter = router({
  overview: adminOnly.output(overviewView).query(({ ctx }) => readOverview(ctx.db, ctx.now())),
  latency: adminOnly
    .input(
      z.object({
        range: z.enum(['hour', 'day'], { error: '时间范围不正确' }).default('hour'),
        door: z.enum(timedDoors, { error: '入口不正确' }).optional(),
      }),
    )
    .output(latencyView)
    .query(({ ctx, input }) => readLatency(ctx.db, input, ctx.now())),

  hosts: adminOnly
    .input(searchPageInput)
    .output(pageOf(hostView))
    .query(({ ctx, input }) => pageHosts(ctx.db, input)),
  hostLoad: adminOnly
    .input(ref.extend({ range: z.enum(metricRanges, { error: '时间范围不正确' }).default('hour') }))
    .output(hostLoad)
    .query(({ ctx, input }) => readHostLoad(ctx.db, input.id, input.range, ctx.now())),
  host: adminOnly
    .input(ref)
    .output(hostView)
    .query(({ ctx, input }) => readHost(ctx.db, input.id)),
  createHost: adminOnly
    .input(createHostInput)
    .output(enrolmentView)
    .mutation(async ({ ctx, input }) =>
      enrolmentOf(ctx, await inTx(ctx.db, (tx) => createHost(tx, ctx.user, input, ctx.now()))),
    ),
  renewEnrolment: adminOnly
    .input(ref)
    .output(enrolmentView)
    .mutation(async ({ ctx, input }) =>
      enrolmentOf(ctx, await inTx(ctx.db, (tx) => renewEnrolment(tx, ctx.user, input.id, ctx.now()))),
    ),
  revokeHostToken: adminOnly
    .input(ref)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => revokeHostToken(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  updateHost: adminOnly
    .input(updateHostInput)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updateHost(tx, ctx.user, input, ctx.now()))
      return null
    }),
  moveHost: adminOnly
    .input(moveHostInput)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, async (tx) => {
        await moveHost(tx, ctx.user, input, ctx.now())
        await announceMaintenance(tx, input.id, input.status === 'MAINTENANCE', ctx.now())
      })
      return null
    }),

  images: adminOnly
    .input(searchPageInput)
    .output(pageOf(imageView))
    .query(({ ctx, input }) => pageImages(ctx.db, input)),
  image: adminOnly
    .input(ref)
    .output(imageView)
    .query(({ ctx, input }) => readImage(ctx.db, input.id)),
  createImage: adminOnly
    .input(imageInput)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => createImage(tx, ctx.user, input, ctx.now()))
      return null
    }),
  updateImage: adminOnly
    .input(imageInput.safeExtend(ref.shape))
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updateImage(tx, ctx.user, input, ctx.now()))
      return null
    }),
  deleteImage: adminOnly
    .input(ref)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => deleteImage(tx, ctx.user, input.id, ctx.now()))
      return null
    }),

  pools: adminOnly
    .input(searchPageInput)
    .output(pageOf(poolView))
    .query(({ ctx, input }) => pagePools(ctx.db, input)),
  createPool: adminOnly
    .input(poolInput)
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await inTx(ctx.db, (tx) => createPool(tx, ctx.user, input, ctx.now())),
    })),
  pool: adminOnly
    .input(ref)
    .output(poolView)
    .query(({ ctx, input }) => readPool(ctx.db, input.id)),
  updatePool: adminOnly
    .input(updatePoolInput)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updatePool(tx, ctx.user, input, ctx.now()))
      return null
    }),
  deletePool: adminOnly
    .input(ref)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => deletePool(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  addresses: adminOnly
    .input(searchPageInput.extend({ poolId: z.uuid(), size: pageInput.shape.size }))
    .output(pageOf(addressView))
    .query(({ ctx, input }) => pageAddresses(ctx.db, input)),
  reserveAddress: adminOnly
    .input(z.object({ address: z.string().max(45), reserved: z.boolean() }))
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => reserveAddress(tx, ctx.user, input, ctx.now()))
      return null
    }),

  jobs: adminOnly
    .input(
      pageInput.extend({
        status: z.enum(jobStatuses, { error: '任务状态不正确' }).optional(),
        kind: z.enum(jobKinds, { error: '任务类型不正确' }).optional(),
        serverId: z.uuid().optional(),
        hostId: z.uuid().optional(),
      }),
    )
    .output(pageOf(jobRow))
    .query(({ ctx, input }) => pageJobs(ctx.db, input)),
  hurryJob: adminOnly
    .input(ref)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => hurryJob(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  cancelJob: adminOnly
    .input(ref)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => cancelJob(tx, ctx.user, input.id, ctx.now()))
      return null
    }),

  adoptJob: adminOnly
    .input(ref)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => adoptJob(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  retryJob: adminOnly
    .input(ref.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await inTxOnce(ctx, 'jobs.retry', input, (tx, now) => retryJob(tx, ctx.user, input.id, now)),
    })),

  findings: adminOnly
    .input(pageInput.extend({ open: z.boolean().default(true) }))
    .output(pageOf(findingView))
    .query(({ ctx, input }) => pageFindings(ctx.db, input)),
  cleanStray: adminOnly
    .input(ref.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await inTxOnce(ctx, 'findings.clean', input, (tx, now) => cleanStray(tx, ctx.user, input.id, now)),
    })),
  redefine: adminOnly
    .input(ref.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await inTxOnce(ctx, 'findings.redefine', input, (tx, now) => redefineServer(tx, ctx.user, input.id, now)),
    })),
  resolveFinding: adminOnly
    .input(ref)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => resolveFinding(tx, ctx.user, input.id, ctx.now()))
      return null
    }),

  audit: adminOnly
    .input(
      pageInput.extend({
        action: z.string().trim().max(60).optional(),
        subjectId: z.string().trim().max(60).optional(),
        actor: z.string().trim().max(40).optional(),
      }),
    )
    .output(pageOf(auditView))
    .query(({ ctx, input }) => pageAudit(ctx.db, input)),

  orders: adminOnly
    .input(pageInput.extend(orderFilter.shape).extend({ userId: z.uuid().optional() }))
    .output(pageOf(orderView.extend({ ownerName: z.string() })))
    .query(({ ctx, input }) => pageAllOrders(ctx.db, input, ctx.now())),
  refunds: adminOnly
    .input(pageInput.extend({ status: z.enum(refundStatuses).optional() }))
    .output(pageOf(refundRow))
    .query(({ ctx, input }) => pageRefunds(ctx.db, input)),
})

function enrolmentOf(ctx: SignedInContext, { id, token, expiresAt }: Enrolment) {
  const command = `API_URL=${ctx.deps.config.publicUrl} ENROLMENT_TOKEN=${token} npm run agent`
  return { id, token, command, expiresAt: expiresAt.toISOString() }
}
