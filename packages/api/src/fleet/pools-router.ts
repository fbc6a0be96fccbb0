import { recordRef } from '@vps/shared/fields.contract'
import {
  addressHistoryInput,
  addressTermView,
  addressView,
  poolInput,
  poolView,
  updatePoolInput,
} from '@vps/shared/pools.contract'
import { pageInput, pageOf, searchPageInput } from '@vps/shared/page.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { pageHistory } from './address-history.js'
import { createPool, deletePool, pageAddresses, pagePools, readPool, reserveAddress, updatePool } from './pools.js'

export const poolsRouter = router({
  list: adminOnly
    .input(searchPageInput)
    .output(pageOf(poolView))
    .query(({ ctx, input }) => pagePools(ctx.db, input)),
  create: adminOnly
    .input(poolInput)
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await inTx(ctx.db, (tx) => createPool(tx, ctx.user, input, ctx.now())),
    })),
  get: adminOnly
    .input(recordRef)
    .output(poolView)
    .query(({ ctx, input }) => readPool(ctx.db, input.id)),
  update: adminOnly
    .input(updatePoolInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updatePool(tx, ctx.user, input, ctx.now()))
      return null
    }),
  delete: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => deletePool(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  addresses: adminOnly
    .input(searchPageInput.extend({ poolId: z.uuid(), size: pageInput.shape.size }))
    .output(pageOf(addressView))
    .query(({ ctx, input }) => pageAddresses(ctx.db, input)),
  history: adminOnly
    .input(addressHistoryInput)
    .output(pageOf(addressTermView))
    .query(({ ctx, input }) => pageHistory(ctx.db, input)),
  reserveAddress: adminOnly
    .input(z.object({ address: z.string().max(45), reserved: z.boolean() }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => reserveAddress(tx, ctx.user, input, ctx.now()))
      return null
    }),
})
