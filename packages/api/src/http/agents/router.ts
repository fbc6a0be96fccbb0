import {
  agentIdentity,
  beatInput,
  beatReply,
  claimInput,
  claimReply,
  connectionTestedInput,
  enrolInput,
  enrolReply,
  finishInput,
  finishReply,
  inventoryInput,
  inventoryReply,
  reportInput,
  repositoryTestedInput,
} from '@vps/shared/agent.contract'
import * as z from 'zod'
import { finishRepositoryTest } from '../../backups/repository-tests.js'
import { inStatement, inTx } from '../../db/tx.js'
import { fail } from '../../errors.js'
import { wantedImages } from '../../fleet/host-images.js'
import { admitAgent, enrolHost, findHostByToken } from '../../fleet/hosts.js'
import { networksOf } from '../../fleet/addresses.js'
import { linkLocalRouters } from '../../fleet/pool-gateways.js'
import { applyHostInventory } from '../../servers/kvm/apply-inventory.js'
import { applyHostReport } from '../../servers/kvm/apply-report.js'
import { beatJob } from '../../jobs/beat.js'
import { tellOwner } from '../../jobs/tell-progress.js'
import { byOurClock } from '../../jobs/by-our-clock.js'
import { finishConnectionTest } from '../../servers/kvm/connection-tests.js'
import { finishWithResult } from '../../fulfilment/dispatch.js'
import { waitForWork } from '../../fulfilment/wait-for-work.js'
import { agentProcedure, router } from './init.js'

/** Before anything is said of the input. */
const withToken = agentProcedure.use(({ ctx, next }) => next({ ctx: { token: ctx.token ?? fail('UNAUTHENTICATED') } }))

/** The one living start of a host's agent: `ctx.host`. */
const asHost = withToken.input(agentIdentity).use(async ({ ctx, input, next }) => {
  const host = (await findHostByToken(ctx.db, ctx.token)) ?? fail('UNAUTHENTICATED')
  await admitAgent(ctx.db, host, input, ctx.now())
  return next({ ctx: { host } })
})

export const agentRouter = router({
  enrol: agentProcedure
    .input(enrolInput)
    .output(enrolReply)
    .mutation(({ ctx, input }) => inTx(ctx.db, (tx) => enrolHost(tx, input, ctx.now()))),

  /** Long poll, at most `waitSeconds`. A mutation: it hands the job out. */
  claim: withToken
    .input(claimInput)
    .output(claimReply)
    .mutation(({ ctx, input, signal }) => waitForWork(ctx.deps, ctx.token, input, signal)),

  beat: asHost
    .input(beatInput)
    .output(beatReply)
    .mutation(({ ctx, input }) =>
      inTx(ctx.db, async (tx) => {
        const job = await beatJob(tx, ctx.host.id, byOurClock(input, ctx.now()))
        if (job) await tellOwner(tx, job.serverId)
        return { lost: job === null, abort: job?.abort ?? false, overtaken: job?.overtaken ?? false }
      }),
    ),

  finish: asHost
    .input(finishInput)
    .output(finishReply)
    .mutation(({ ctx, input }) =>
      inTx(ctx.db, async (tx) => {
        const report = byOurClock(input, ctx.now())
        return { accepted: await finishWithResult(tx, ctx.host.id, report, ctx.now()) }
      }),
    ),

  report: asHost
    .input(reportInput)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await inStatement(ctx.db, (db) =>
        applyHostReport({ db, engine: ctx.deps.metricEngine }, ctx.host.id, input, ctx.now()),
      )
      return { ok: true as const }
    }),

  inventory: asHost
    .input(inventoryInput)
    .output(inventoryReply)
    .mutation(async ({ ctx, input }) => {
      await applyHostInventory(ctx.db, ctx.host.id, input, ctx.now())
      return {
        ok: true as const,
        images: await wantedImages(ctx.db),
        networks: await networksOf(ctx.db, ctx.host.id),
        routers: await linkLocalRouters(ctx.db, ctx.host.id),
      }
    }),

  connectionTested: asHost
    .input(connectionTestedInput)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => finishConnectionTest(tx, ctx.host.id, input))
      return { ok: true as const }
    }),

  /** A late answer changes nothing. */
  repositoryTested: asHost
    .input(repositoryTestedInput)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => finishRepositoryTest(tx, ctx.host.id, input))
      return { ok: true as const }
    }),
})
export type AgentRouter = typeof agentRouter
