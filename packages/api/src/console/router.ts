import {
  actionLogEntry,
  connectionTest,
  installProgress,
  monitoringView,
  recentCpuView,
  serverView,
} from '@vps/shared/console.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import { chosenSystem } from '@vps/shared/orders.contract'
import { machinePassword } from '@vps/shared/password.contract'
import { metricRanges, serverActions, type ServerAction } from '@vps/shared/servers'
import { metricSeries, sshPort } from '@vps/shared/servers.contract'
import { openRemoteInput, remoteTicket } from '@vps/shared/remote.contract'
import * as text from '@vps/shared/text'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { fail } from '../errors.js'
import { idempotencyKey } from '../idempotency.js'
import type { SignedInContext } from '../trpc/context.js'
import { router } from '../trpc/init.js'
import { keyed, type Once } from '../trpc/keyed.js'
import { auditedRead, signedIn } from '../trpc/procedures.js'
import { mayOpenRemote, namedInBody, openProgress, type ConsoleServer } from './access.js'
import { actOnServer, type OwnersAct } from './act.js'
import { open, started } from './ask.js'
import { protectServer } from './protect.js'
import { readMetrics } from './metrics.js'
import { readOwnCpu } from './recent-cpu.js'
import { readPassword } from './read-password.js'
import { reinstall } from './reinstall.js'
import { countCall } from '../rate-limits.js'
import { openTicket } from '../remote/open-ticket.js'
import { driverOf } from '../servers/drivers.js'
import { openServer, readActionLog, readMonitoring, readProgress, readServer } from './queries.js'

/** The rows of a list's longest page. */
const maxPageSize = 50

const serverRef = z.object({ id: z.uuid({ error: text.serverIdMissing }) })

/** A blank port keeps the server's own. */
const reinstallFields = {
  osName: z.string().trim().max(100).optional(),
  osVersion: z.string().trim().max(100).optional(),
  rootPassword: machinePassword.optional(),
  sshPort: z.union([z.literal('').transform(() => null), sshPort]).nullish(),
  sshKeyIds: z.array(z.uuid()).max(20).default([]),
}
/** Of a call that does nothing else all are needed. */
const neededToReinstall = { osName: chosenSystem, osVersion: chosenSystem, rootPassword: machinePassword }

/** Specification part 1 section 3. `force` cuts the power; `byRestart` sets a password without a guest agent. */
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
    .query(async ({ ctx, input }) => (await openWithView(ctx, input.id)).view),

  /** 409 LOCKED. */
  act: signedIn
    .concat(keyed('console.act'))
    .input(actInput)
    .output(started)
    .mutation(async ({ ctx, input }) => {
      const server = await namedInBody(open(ctx, input.serverId))
      const { action, newPassword } = input
      if (action === 'reinstall') return { jobId: await startReinstall(ctx, server, input) }
      if (action === 'resetPassword' && !newPassword) {
        fail('INVALID_INPUT', { message: text.passwordEmpty, errors: { newPassword: text.passwordEmpty } })
      }
      const secret = action === 'resetPassword' ? ctx.deps.vault.seal(newPassword ?? '') : null
      const force = action === 'stop' && input.force
      const byRestart = action === 'resetPassword' && input.byRestart
      const chosen = {
        serverId: server.id,
        action,
        force,
        passwordMark: secret && ctx.deps.vault.fingerprint(newPassword ?? ''),
        ...(byRestart ? { byRestart: true } : {}),
        idempotencyKey: input.idempotencyKey,
      }
      const wanted = { serverId: server.id, orderId: server.orderId, act: toAct(action, force, byRestart), secret }
      return { jobId: await ctx.once(chosen, (tx, now) => actOnServer(tx, ctx.user, wanted, now)) }
    }),

  /** 409 while protected or busy. */
  reinstall: signedIn
    .concat(keyed('console.reinstall'))
    .input(serverRef.extend({ ...reinstallFields, ...neededToReinstall, idempotencyKey }))
    .output(started)
    .mutation(async ({ ctx, input }) => ({ jobId: await startReinstall(ctx, await open(ctx, input.id), input) })),

  protect: signedIn
    .input(serverRef.extend({ protected: z.boolean({ error: '请选择是否开启保护' }) }))
    .output(serverView)
    .mutation(async ({ ctx, input }) => {
      await open(ctx, input.id)
      await inTx(ctx.db, (tx) => protectServer(tx, ctx.user, input, ctx.now()))
      return readServer(ctx.db, input.id, ctx.now())
    }),

  metrics: signedIn
    .input(serverRef.extend({ range: z.enum(metricRanges, { error: text.badRange }).default('hour') }))
    .output(metricSeries)
    .query(async ({ ctx, input }) => {
      return readMetrics(
        { db: ctx.db, engine: ctx.deps.metricEngine },
        await open(ctx, input.id),
        input.range,
        ctx.now(),
      )
    }),

  /** The customer's own, at most a list's page; of others nothing is told. */
  recentCpu: signedIn
    .input(z.object({ ids: z.union([z.uuid().transform((id) => [id]), z.array(z.uuid()).max(maxPageSize)]) }))
    .output(recentCpuView)
    .query(({ ctx, input }) => readOwnCpu(ctx, input.ids)),

  monitoring: signedIn
    .input(serverRef)
    .output(monitoringView)
    .query(async ({ ctx, input }) => {
      const { view, sight } = await openWithView(ctx, input.id)
      return readMonitoring({ db: ctx.db, engine: ctx.deps.metricEngine }, view, sight, ctx.now())
    }),

  logs: signedIn
    .input(serverRef.extend(pageInput.shape).extend({ size: pageInput.shape.size.unwrap().default(20) }))
    .output(pageOf(actionLogEntry))
    .query(async ({ ctx, input }) => {
      const { sight } = await open(ctx, input.id)
      return readActionLog(ctx.db, input.id, sight, input)
    }),

  /** Audited; no other reply holds it. */
  password: auditedRead
    .input(serverRef)
    .output(z.object({ password: z.string() }))
    .query(async ({ ctx, input }) => {
      await open(ctx, input.id)
      return { password: await readPassword(ctx.db, ctx.deps.vault, ctx.user, input.id, ctx.now()) }
    }),

  /** By the host, within 8 s. */
  testConnection: signedIn
    .input(serverRef)
    .output(connectionTest)
    .mutation(async ({ ctx, input }) => {
      const server = await open(ctx, input.id)
      return driverOf(server).test(ctx.deps, server.id)
    }),

  /** A ticket for `remotePath`. Also during set-up; 409 while suspended. */
  openRemote: signedIn
    .input(openRemoteInput)
    .output(remoteTicket)
    .mutation(async ({ ctx, input }) => {
      await countCall(ctx.db, 'remotePerUser', ctx.user.id, ctx.now())
      await namedInBody(mayOpenRemote(ctx.db, ctx.user, input.serverId, ctx.deps.config.consoleAccess))
      return { ticket: await inTx(ctx.db, (tx) => openTicket(tx, ctx.user, input, ctx.now())) }
    }),

  install: signedIn
    .input(serverRef)
    .output(installProgress)
    .query(async ({ ctx, input }) => {
      const { sight } = await openProgress(ctx.db, ctx.user, input.id)
      return readProgress(ctx.db, input.id, sight)
    }),
})

function toAct(action: Exclude<ServerAction, 'reinstall'>, force: boolean, byRestart: boolean): OwnersAct {
  if (action === 'stop') return { kind: action, force }
  return action === 'resetPassword' ? { kind: action, byRestart } : { kind: action }
}

function openWithView(ctx: SignedInContext, serverId: string) {
  return openServer(ctx.db, ctx.user, serverId, ctx.deps.config.consoleAccess, ctx.now())
}

type ReinstallInput = {
  osName?: string | undefined
  osVersion?: string | undefined
  rootPassword?: string | undefined
  sshPort?: number | null | undefined
  sshKeyIds: string[]
  idempotencyKey?: string | null | undefined
}

function startReinstall(
  ctx: SignedInContext & { once: Once },
  server: ConsoleServer,
  input: ReinstallInput,
): Promise<string> {
  const { osName, osVersion, rootPassword } = input
  if (!osName || !osVersion) fail('INVALID_INPUT', { message: text.osRequired, errors: { osVersion: text.osRequired } })
  if (!rootPassword)
    fail('INVALID_INPUT', { message: text.passwordEmpty, errors: { rootPassword: text.passwordEmpty } })
  const { sshPort = null, sshKeyIds, idempotencyKey } = input
  const wanted = { serverId: server.id, osName, osVersion, sshPort, sshKeyIds }
  const secret = ctx.deps.vault.seal(rootPassword)
  const chosen = { ...wanted, passwordMark: ctx.deps.vault.fingerprint(rootPassword), idempotencyKey }
  const { orderId } = server
  return ctx.once(chosen, (tx, now) => reinstall(tx, ctx.user, { ...wanted, orderId, secret }, now))
}
