import { recordRef } from '@vps/shared/fields.contract'
import { imageInput, imageView } from '@vps/shared/images.contract'
import { pageOf, searchPageInput } from '@vps/shared/page.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { createImage, deleteImage, pageImages, readImage, updateImage } from './images.js'

export const imagesRouter = router({
  list: adminOnly
    .input(searchPageInput)
    .output(pageOf(imageView))
    .query(({ ctx, input }) => pageImages(ctx.db, input)),
  get: adminOnly
    .input(recordRef)
    .output(imageView)
    .query(({ ctx, input }) => readImage(ctx.db, input.id)),
  create: adminOnly
    .input(imageInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => createImage(tx, ctx.user, input, ctx.now()))
      return null
    }),
  update: adminOnly
    .input(imageInput.safeExtend(recordRef.shape))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updateImage(tx, ctx.user, input, ctx.now()))
      return null
    }),
  delete: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => deleteImage(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
})
