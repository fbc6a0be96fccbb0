import { backupElsewhereView, backupScheduleInput, backupsView } from '@vps/shared/backups.contract'
import { recordRef } from '@vps/shared/fields.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { signedIn } from '../trpc/procedures.js'
import { askOnce, open, serverRef, started } from './ask.js'
import { readBackups, readElsewhere, removeBackup, setSchedule } from './backups.js'

/** For whoever may open the server's console. */
export const backupsRouter = router({
  list: signedIn
    .input(serverRef)
    .output(backupsView)
    .query(async ({ ctx, input }) => {
      await open(ctx, input.serverId)
      return readBackups(ctx.db, input.serverId)
    }),

  /** 409 with no place left, nothing bought, or backups kept nowhere; LOCKED. */
  create: signedIn
    .concat(keyed('backups.create'))
    .input(serverRef.extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => askOnce(ctx, input, { kind: 'backup', origin: 'MANUAL', again: null })),

  /** What else may be brought back over this server. */
  elsewhere: signedIn
    .input(serverRef)
    .output(z.array(backupElsewhereView))
    .query(async ({ ctx, input }) => {
      await open(ctx, input.serverId)
      return readElsewhere(ctx.db, input.serverId, ctx.now())
    }),

  /**
   * Over the machine of `serverId`: what was written since is lost. Its own backup, or one of `elsewhere`, whose system
   * then gets this server's addresses, name, port, password and host key. 409 while protected or busy, or with too
   * small a disk.
   */
  restore: signedIn
    .concat(keyed('backups.restore'))
    .input(serverRef.extend(recordRef.shape).extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => askOnce(ctx, input, { kind: 'restore', backupId: input.id })),

  /** Gone once its host has forgotten it. 409 while made or brought back. */
  remove: signedIn
    .concat(keyed('backups.remove'))
    .input(serverRef.extend(recordRef.shape).extend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      const { id: serverId } = await open(ctx, input.serverId)
      await ctx.onceFor(input, (tx, now) => removeBackup(tx, ctx.user, { serverId, backupId: input.id }, now))
      return null
    }),

  /** 409 with nothing bought, or all places taken by hand. */
  setSchedule: signedIn
    .input(serverRef.extend({ schedule: backupScheduleInput }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      const { id: serverId } = await open(ctx, input.serverId)
      const { schedule } = input
      await inTx(ctx.db, (tx) => setSchedule(tx, ctx.user, { serverId, schedule }, ctx.now()))
      return null
    }),
})
