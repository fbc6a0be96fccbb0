import { recordRef } from '@vps/shared/fields.contract'
import {
  adminCategory,
  adminGroup,
  adminPriceGroup,
  applyDiscountInput,
  categoryInput,
  groupInput,
  priceGroupInput,
  restorePricesInput,
} from '@vps/shared/catalogue.contract'
import { pageOf, searchPageInput } from '@vps/shared/page.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { createCategory, deleteCategory, pageCategories, updateCategory } from './categories.js'
import { createGroup, deleteGroup, pageGroups, readGroup, updateGroup } from './groups.js'
import {
  applyDiscount,
  createPriceGroup,
  deletePriceGroup,
  pagePriceGroups,
  priceGroupNameExists,
  readPriceGroup,
  restorePrices,
  updatePriceGroup,
} from './price-groups.js'

const made = z.object({ id: z.uuid() })

export const catalogueRouter = router({
  categories: adminOnly
    .input(searchPageInput)
    .output(pageOf(adminCategory))
    .query(({ ctx, input }) => pageCategories(ctx.db, input)),
  createCategory: adminOnly
    .input(categoryInput)
    .output(made)
    .mutation(async ({ ctx, input }) => ({
      id: await inTx(ctx.db, (tx) => createCategory(tx, ctx.user, input, ctx.now())),
    })),
  updateCategory: adminOnly
    .input(categoryInput.extend(recordRef.shape))
    .output(made)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updateCategory(tx, ctx.user, input, ctx.now()))
      return { id: input.id }
    }),
  deleteCategory: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => deleteCategory(tx, ctx.user, input.id, ctx.now()))
      return null
    }),

  groups: adminOnly
    .input(searchPageInput)
    .output(pageOf(adminGroup))
    .query(({ ctx, input }) => pageGroups(ctx.db, input)),
  group: adminOnly
    .input(recordRef)
    .output(adminGroup)
    .query(({ ctx, input }) => readGroup(ctx.db, input.id)),
  createGroup: adminOnly
    .input(groupInput)
    .output(made)
    .mutation(async ({ ctx, input }) => ({
      id: await inTx(ctx.db, (tx) => createGroup(tx, ctx.user, input, ctx.now())),
    })),
  updateGroup: adminOnly
    .input(groupInput.extend(recordRef.shape))
    .output(made)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updateGroup(tx, ctx.user, input, ctx.now()))
      return { id: input.id }
    }),
  deleteGroup: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => deleteGroup(tx, ctx.user, input.id, ctx.now()))
      return null
    }),

  priceGroups: adminOnly
    .input(searchPageInput)
    .output(pageOf(adminPriceGroup))
    .query(({ ctx, input }) => pagePriceGroups(ctx.db, input, ctx.now())),
  priceGroup: adminOnly
    .input(recordRef)
    .output(adminPriceGroup)
    .query(({ ctx, input }) => readPriceGroup(ctx.db, input.id, ctx.now())),
  createPriceGroup: adminOnly
    .input(priceGroupInput)
    .output(made)
    .mutation(async ({ ctx, input }) => ({
      id: await inTx(ctx.db, (tx) => createPriceGroup(tx, ctx.user, input, ctx.now())),
    })),
  updatePriceGroup: adminOnly
    .input(priceGroupInput.extend(recordRef.shape))
    .output(made)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updatePriceGroup(tx, ctx.user, input, ctx.now()))
      return { id: input.id }
    }),
  deletePriceGroup: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => deletePriceGroup(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  priceGroupName: adminOnly
    .input(z.object({ name: z.string().trim().max(100), excludeId: z.uuid().optional() }))
    .output(z.object({ exists: z.boolean() }))
    .query(async ({ ctx, input }) => ({ exists: await priceGroupNameExists(ctx.db, input.name, input.excludeId) })),
  applyDiscount: adminOnly
    .input(applyDiscountInput)
    .output(adminPriceGroup)
    .mutation(async ({ ctx, input: { id, version, discountPercentage, startTime, endTime } }) => {
      const discount = { id, version, discountPercentage, discountStartTime: startTime, discountEndTime: endTime }
      await inTx(ctx.db, (tx) => applyDiscount(tx, ctx.user, discount, ctx.now()))
      return readPriceGroup(ctx.db, id, ctx.now())
    }),
  restorePrices: adminOnly
    .input(restorePricesInput)
    .output(adminPriceGroup)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => restorePrices(tx, ctx.user, input, ctx.now()))
      return readPriceGroup(ctx.db, input.id, ctx.now())
    }),
})
