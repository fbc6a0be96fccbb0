import { actionLogEntry, connectionTest, installProgress, monitoringView, serverView } from '@vps/shared/console'
import { jobView } from '@vps/shared/jobs'
import { pageInput, pageOf } from '@vps/shared/page'
import { machinePassword } from '@vps/shared/password'
import { metricRanges, metricSeries, serverActions, sshPort } from '@vps/shared/servers'
import { text } from '@vps/shared/text'
import * as z from 'zod'
import { actorOf } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { inTx } from '../db/tx.js'
import type { SignedInContext } from '../doors/caller.js'
import { router, signedIn } from '../trpc/init.js'
import { fail } from '../errors.js'
import { idempotencyKey } from '../idempotency.js'
import { findJob } from '../jobs/queries.js'
import { askConnectionTest, awaitConnectionTest } from '../servers/connection-tests.js'
import { openSecret } from '../servers/secrets.js'
import { testEnteredOnce } from '../servers/test-entered.js'
import { openConsole, openProgress, type ConsoleServer } from './access.js'
import { actOnServer } from './act.js'
import { protectServer } from './protect.js'
import { readMetrics } from './metrics.js'
import { reinstall } from './reinstall.js'
import { readActionLog, readMonitoring, readProgress, readServer } from './queries.js'

const serverRef = z.object({ id: z.uuid({ error: text.serverIdMissing }) })

/** What a reinstall takes; the port blank keeps the server's own. */
const reinstallFields = {
  osName: z.string().trim().max(100).optional(),
  osVersion: z.string().trim().max(100).optional(),
  rootPassword: machinePassword.optional(),
  sshPort: z.union([z.literal('').transform(() => null), sshPort]).nullish(),
  sshKeyIds: z.array(z.uuid()).max(20).default([]),
}

/** Body of `POST /server-management/action` (specification part 1 section 3). `force` cuts the power instead of asking; `byRestart` sets a password in a guest without an agent. */
const actInput = z.object({
  serverId: z.uuid({ error: text.serverIdMissing }),
  action: z.enum(serverActions, { error: '不支持的操作' }),
  newPassword: machinePassword.optional(),
  ...reinstallFields,
  force: z.boolean().default(false),
  byRestart: z.boolean().default(false),
  idempotencyKey,
})

export const consoleRouter = router({
  details: signedIn
    .input(serverRef)
    .output(serverView)
    .query(async ({ ctx, input }) => {
      await open(ctx, input.id)
      return readServer(ctx.db, input.id, ctx.now())
    }),

  /** Asks for an act on the machine. 409 LOCKED while another is open. */
  act: signedIn
    .input(actInput)
    .output(z.object({ jobId: z.uuid() }))
    .mutation(async ({ ctx, input }) => {
      const server = await open(ctx, input.serverId)
      const { action, newPassword } = input
      if (action === 'reinstall') return { jobId: await startReinstall(ctx, server, input) }
      if (action === 'resetPassword' && !newPassword) {
        fail('INVALID_INPUT', { message: text.passwordEmpty, errors: { newPassword: text.passwordEmpty } })
      }
      const secret = action === 'resetPassword' ? ctx.deps.vault.seal(newPassword ?? '') : null
      const act = {
        serverId: server.id,
        orderId: server.orderId,
        action,
        force: action === 'stop' && input.force,
        byRestart: action === 'resetPassword' && input.byRestart,
        secret,
        passwordMark: secret && ctx.deps.vault.fingerprint(newPassword ?? ''),
        idempotencyKey: input.idempotencyKey ?? null,
      }
      return { jobId: await inTx(ctx.db, (tx) => actOnServer(tx, ctx.user, act, ctx.now())) }
    }),

  /** The install dialog: makes the server anew with another system. 409 while protected or busy. */
  reinstall: signedIn
    .input(serverRef.extend({ ...reinstallFields, idempotencyKey }))
    .output(z.object({ jobId: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({ jobId: await startReinstall(ctx, await open(ctx, input.id), input) })),

  /** Switches the protection against reinstall and release. */
  protect: signedIn
    .input(serverRef.extend({ protected: z.boolean({ error: '请选择是否开启保护' }) }))
    .output(serverView)
    .mutation(async ({ ctx, input }) => {
      await open(ctx, input.id)
      await inTx(ctx.db, (tx) => protectServer(tx, ctx.user, input, ctx.now()))
      return readServer(ctx.db, input.id, ctx.now())
    }),

  /** CPU, memory, disk and traffic over an hour, a day, a week or a month. */
  metrics: signedIn
    .input(serverRef.extend({ range: z.enum(metricRanges, { error: '时间范围不正确' }).default('hour') }))
    .output(metricSeries)
    .query(async ({ ctx, input }) => {
      return readMetrics(ctx.db, await open(ctx, input.id), input.range, ctx.now())
    }),

  monitoring: signedIn
    .input(serverRef)
    .output(monitoringView)
    .query(async ({ ctx, input }) => {
      const { since } = await open(ctx, input.id)
      return readMonitoring(ctx.db, input.id, since, ctx.now())
    }),

  logs: signedIn
    .input(serverRef.extend(pageInput.shape).extend({ size: pageInput.shape.size.unwrap().default(20) }))
    .output(pageOf(actionLogEntry))
    .query(async ({ ctx, input }) => {
      const { since } = await open(ctx, input.id)
      return readActionLog(ctx.db, input.id, since, input)
    }),

  /** The machine's current password. Audited; no other reply holds it. */
  password: signedIn
    .input(serverRef)
    .output(z.object({ password: z.string() }))
    .query(async ({ ctx, input }) => {
      await open(ctx, input.id)
      const { secret_id } = await ctx.db
        .selectFrom('servers')
        .select('secret_id')
        .where('id', '=', input.id)
        .executeTakeFirstOrThrow()
      if (!secret_id) fail('NOT_FOUND')
      await inTx(ctx.db, (tx) =>
        recordAudit(
          tx,
          actorOf(ctx.user),
          { action: 'server.read-password', subject: { kind: 'server', id: input.id } },
          ctx.now(),
        ),
      )
      return { password: await openSecret(ctx.db, ctx.deps.vault, secret_id) }
    }),

  /** Lets the host try the guest's SSH port now; answered within 8 s. */
  testConnection: signedIn
    .input(serverRef)
    .output(connectionTest)
    .mutation(async ({ ctx, input }) => {
      const server = await open(ctx, input.id)
      if (server.driver === 'ssh') {
        const began = performance.now()
        const reached = (await testEnteredOnce(ctx.deps, server.id)) !== null
        const latencyMs = reached ? Math.round(performance.now() - began) : null
        return { sshConnectable: reached, latencyMs, lastCheckTime: ctx.now().toISOString() }
      }
      const id = await inTx(ctx.db, (tx) => askConnectionTest(tx, server.id, ctx.now()))
      return awaitConnectionTest(ctx.db, id)
    }),

  /** Steps, percentage and state of the newest install. */
  install: signedIn
    .input(serverRef)
    .output(installProgress)
    .query(async ({ ctx, input }) => {
      const { since } = await openProgress(ctx.db, ctx.user, input.id)
      return readProgress(ctx.db, input.id, since)
    }),
})

export const jobsRouter = router({
  /** One job; the owner of its server and ADMIN. */
  get: signedIn
    .input(z.object({ id: z.uuid({ error: '记录不存在' }) }))
    .output(jobView)
    .query(async ({ ctx, input }) => {
      const job = await findJob(ctx.db, input.id)
      if (!job) fail('NOT_FOUND')
      const isTheirs = job.ownerId === ctx.user.id && job.since !== null && new Date(job.view.createdAt) >= job.since
      if (ctx.user.role !== 'ADMIN' && !isTheirs) fail('NOT_FOUND')
      return job.view
    }),
})

function open(ctx: SignedInContext, serverId: string) {
  return openConsole(ctx.db, ctx.user, serverId, ctx.deps.config.consoleAccess)
}

type ReinstallInput = {
  osName?: string | undefined
  osVersion?: string | undefined
  rootPassword?: string | undefined
  sshPort?: number | null | undefined
  sshKeyIds: string[]
  idempotencyKey?: string | null | undefined
}

function startReinstall(ctx: SignedInContext, server: ConsoleServer, input: ReinstallInput): Promise<string> {
  const { osName, osVersion, rootPassword } = input
  if (!osName || !osVersion) fail('INVALID_INPUT', { message: text.osRequired, errors: { osVersion: text.osRequired } })
  if (!rootPassword)
    fail('INVALID_INPUT', { message: text.passwordEmpty, errors: { rootPassword: text.passwordEmpty } })
  const wanted = {
    serverId: server.id,
    orderId: server.orderId,
    osName,
    osVersion,
    sshPort: input.sshPort ?? null,
    sshKeyIds: input.sshKeyIds,
    secret: ctx.deps.vault.seal(rootPassword),
    passwordMark: ctx.deps.vault.fingerprint(rootPassword),
    idempotencyKey: input.idempotencyKey ?? null,
  }
  return inTx(ctx.db, (tx) => reinstall(tx, ctx.user, wanted, ctx.now()))
}
