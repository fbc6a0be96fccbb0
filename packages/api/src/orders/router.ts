import { randomInt } from 'node:crypto'
import {
  orderFilter,
  orderView,
  placeOrderInput,
  quoteView,
  refundInput,
  renewalView,
  setOrderStatusInput,
  upgradeInput,
  upgradeQuoteView,
} from '@vps/shared/orders'
import { pageInput, pageOf } from '@vps/shared/page'
import { generatePassword } from '@vps/shared/password'
import { text } from '@vps/shared/text'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import type { SignedInContext } from '../doors/caller.js'
import { adminOnly, publicProcedure, router, signedIn } from '../trpc/init.js'
import { fail, Refusal } from '../errors.js'
import { idempotencyKey, inTxOnce } from '../idempotency.js'
import { countCall } from '../rate-limits.js'
import { hasRoomToGrow } from '../servers/resize.js'
import { openSecret } from '../servers/secrets.js'
import { readShelf } from '../shop/shelf.js'
import { readStock } from '../shop/stock.js'
import { cancelOrder } from './cancel-order.js'
import { payOrder, repriceOrder } from './pay-order.js'
import { placeOrder } from './place-order.js'
import { priceWanted } from './price.js'
import { findOwnOrder } from './find-order.js'
import { lockOrder } from './lock-order.js'
import { listOrders, pageOrders, readOrder } from './queries.js'
import { approveRefund, rejectRefund, requestRefund } from './refunds.js'
import { planRenewal, renewOrder } from './renew-order.js'
import { renameServer } from './rename-server.js'
import { planUpgrade, upgradeOrder } from './upgrade-order.js'
import { actorOf } from '../actor.js'
import { setOrderStatus } from './set-order-status.js'
import { setAutoRenewal } from './set-auto-renewal.js'

const orderRef = z.object({ id: z.uuid({ error: '记录不存在' }) })

export const ordersRouter = router({
  /** What a configuration costs today and whether it could be placed. The server computes; a client's price is never read. */
  quote: publicProcedure
    .input(placeOrderInput.extend({ dryRun: z.boolean().default(false) }))
    .output(quoteView)
    .query(async ({ ctx, input }) => {
      if (!ctx.user) await countCall(ctx.deps.shopDb, 'quotePerAddress', ctx.address, ctx.now())
      const shelf = await readShelf(ctx.deps)
      const offer = {
        group: shelf.priceGroups.find((group) => group.id === input.priceGroupId) ?? null,
        image:
          shelf.images.find((each) => each.os_name === input.osName && each.os_version === input.osVersion) ?? null,
      }
      const { group, image, price } = priceWanted(offer, input, ctx.now())
      const wanted = { groupId: group.serverGroupId, spec: input, image }
      const scope = { groupId: group.serverGroupId, addresses: input.ipCount }
      const stock = input.dryRun ? await readStock(ctx.deps.shopDb, scope) : shelf.stock
      const available = stock(wanted)
      if (input.dryRun && !available) fail('NO_STOCK')
      return { ...price, available }
    }),

  /** Writes a PENDING order at today's quote. */
  place: signedIn
    .input(placeOrderInput.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input: { idempotencyKey, initialPassword, ...input } }) => {
      const secret = ctx.deps.vault.seal(initialPassword ?? generatePassword((below) => randomInt(below)))
      // The key's hash covers what the caller sent; a password by its fingerprint, since hashes are kept.
      const password = initialPassword === null ? null : ctx.deps.vault.fingerprint(initialPassword)
      const keyed = { ...input, password }
      const order = { ...input, secret, idempotencyKey: idempotencyKey ?? null, keyed }
      const id = await inTx(ctx.db, (tx) => placeOrder(tx, ctx.user, order, ctx.now()))
      return readWithPassword(ctx, { id })
    }),

  list: signedIn.output(z.array(orderView)).query(({ ctx }) => listOrders(ctx.db, ctx.user.id, ctx.now())),

  /** The order screen: filtered, searched and paged here. */
  page: signedIn
    .input(pageInput.extend(orderFilter.shape))
    .output(pageOf(orderView))
    .query(({ ctx, input }) => pageOrders(ctx.db, ctx.user.id, input, input, ctx.now())),

  get: signedIn
    .input(orderRef)
    .output(orderView)
    .query(({ ctx, input }) => readWithPassword(ctx, input)),

  byNumber: signedIn
    .input(z.object({ orderNumber: z.string().max(40) }))
    .output(orderView)
    .query(({ ctx, input }) => readWithPassword(ctx, { number: input.orderNumber })),

  /** Pays from the wallet. 402 余额不足, 409 库存不足, 409 价格已变更 (the order then carries the new amount). */
  pay: signedIn
    .input(orderRef.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      const payment = { id: input.id, idempotencyKey: input.idempotencyKey ?? null }
      try {
        await inTx(ctx.db, (tx) => payOrder(tx, ctx.user, payment, ctx.now()))
      } catch (error) {
        if (error instanceof Refusal && error.code === 'PRICE_CHANGED')
          await inTx(ctx.db, (tx) => repriceOrder(tx, ctx.user, input.id, ctx.now()))
        throw error
      }
      return readPlain(ctx, input.id)
    }),

  cancel: signedIn
    .input(orderRef.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await inTxOnce(ctx, 'orders.cancel', input, async (tx, now) => {
        await cancelOrder(tx, ctx.user, input.id, now)
        return input.id
      })
      return readPlain(ctx, input.id)
    }),

  /** An administrator cancels what is not set up yet, suspends or resumes; any other move is 409. */
  setStatus: adminOnly
    .input(setOrderStatusInput.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await inTxOnce(ctx, 'orders.setStatus', input, async (tx, now) => {
        await setOrderStatus(tx, ctx.user, input, now)
        return input.id
      })
      return readPlain(ctx, input.id)
    }),

  setAutoRenewal: signedIn
    .input(orderRef.extend({ autoRenewal: z.boolean({ error: '请选择是否自动续费' }) }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => setAutoRenewal(tx, ctx.user, input, ctx.now()))
      return readPlain(ctx, input.id)
    }),

  /** What a renewal would cost now. */
  renewal: signedIn
    .input(orderRef)
    .output(renewalView)
    .query(async ({ ctx, input }) => {
      const order = await findOwnOrder(ctx.db, input.id, ctx.user.id)
      const { amount, expiresAt } = await planRenewal(ctx.db, order, ctx.now())
      return { amount, expiresAt: expiresAt.toISOString(), period: order.period }
    }),

  /** Renews by one period from the owner's wallet; an administrator renews anybody's. 402, 409. */
  renew: signedIn
    .input(orderRef.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      const admin = ctx.user.role === 'ADMIN'
      await inTxOnce(ctx, 'orders.renew', input, async (tx, now) => {
        const order = await lockOrder(tx, input.id, admin ? undefined : ctx.user.id)
        // What an administrator suspended comes back by one, even where it is his own.
        const by = admin && (order.user_id !== ctx.user.id || order.suspend_reason === 'admin') ? 'admin' : 'owner'
        await renewOrder(tx, actorOf(ctx.user), by, order, now)
        return input.id
      })
      return readPlain(ctx, input.id)
    }),

  /** What more resources would cost for the rest of the running period. */
  upgradeQuote: signedIn
    .input(upgradeInput)
    .output(upgradeQuoteView)
    .query(async ({ ctx, input }) => {
      const order = await findOwnOrder(ctx.db, input.id, ctx.user.id)
      const plan = await planUpgrade(ctx.db, order, input, ctx.now())
      return {
        amount: plan.amount,
        periodBefore: plan.periodBefore,
        periodAfter: plan.periodAfter,
        remainingSeconds: plan.remainingSeconds,
        available: order.server_id !== null && (await hasRoomToGrow(ctx.db, order.server_id, plan.spec)),
        spec: plan.spec,
      }
    }),

  upgrade: signedIn
    .input(upgradeInput.extend({ idempotencyKey }))
    .output(z.object({ jobId: z.uuid() }))
    .mutation(async ({ ctx, input }) => {
      const upgrade = { ...input, idempotencyKey: input.idempotencyKey ?? null }
      return { jobId: await inTx(ctx.db, (tx) => upgradeOrder(tx, ctx.user, upgrade, ctx.now())) }
    }),

  /** Asks for the money back within 7 days of activation. */
  requestRefund: signedIn
    .input(refundInput.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await inTxOnce(ctx, 'orders.requestRefund', input, async (tx, now) => {
        await requestRefund(tx, ctx.user, input, now)
        return input.id
      })
      return readPlain(ctx, input.id)
    }),

  approveRefund: adminOnly
    .input(refundInput.extend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTxOnce(ctx, 'orders.approveRefund', input, async (tx, now) => {
        await approveRefund(tx, ctx.user, input, now)
        return input.id
      })
      return null
    }),

  rejectRefund: adminOnly
    .input(refundInput.extend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTxOnce(ctx, 'orders.rejectRefund', input, async (tx, now) => {
        await rejectRefund(tx, ctx.user, input, now)
        return input.id
      })
      return null
    }),

  /** The owner gives the server another name. */
  renameServer: signedIn
    .input(
      orderRef.extend({
        serverName: z.string().trim().min(1, { error: text.required }).max(100, { error: '最多 100 个字符' }),
      }),
    )
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => renameServer(tx, ctx.user, input, ctx.now()))
      return readPlain(ctx, input.id)
    }),
})

const readerOf = (ctx: SignedInContext) => ({ id: ctx.user.id, isAdmin: ctx.user.role === 'ADMIN' })

async function readPlain(ctx: SignedInContext, id: string) {
  return (await readOrder(ctx.db, readerOf(ctx), { id }, ctx.now())).view
}

/** A single read carries the initial password, as the specification lists it, until the order ends; lists never do. */
async function readWithPassword(ctx: SignedInContext, which: { id: string } | { number: string }) {
  const { view, initialSecretId } = await readOrder(ctx.db, readerOf(ctx), which, ctx.now())
  if (initialSecretId === null) return view
  return { ...view, initialPassword: await openSecret(ctx.db, ctx.deps.vault, initialSecretId) }
}
