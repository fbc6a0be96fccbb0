import { dayRange, label, recordRef } from '@vps/shared/fields.contract'
import { randomInt } from 'node:crypto'
import {
  orderFilter,
  orderLabelsInput,
  orderRow,
  orderView,
  payOrderInput,
  placeOrderInput,
  quoteView,
  renewalsAhead,
  renewalView,
  renewOrderInput,
  setOrderStatusInput,
  upgradeInput,
  upgradeOrderInput,
  upgradeQuoteView,
  type OrderInFen,
} from '@vps/shared/orders.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import { generatePassword } from '@vps/shared/password'
import { timesQuote } from '@vps/shared/pricing'
import { v7 as uuidv7 } from 'uuid'
import * as z from 'zod'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import { fail, Refusal } from '../errors.js'
import { idempotencyKey } from '../idempotency.js'
import { must } from '../must.js'
import { addressBlock, countCall } from '../rate-limits.js'
import { hasRoomToGrow } from '../servers/kvm/resize.js'
import { openIfReadable } from '../secrets/secrets.js'
import { readSnapshot } from '../shop/snapshot.js'
import { hasLot, readStock } from '../shop/stock.js'
import type { SignedInContext } from '../trpc/context.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly, publicProcedure, signedIn } from '../trpc/procedures.js'
import { pageAllOrders } from './all-orders.js'
import { cancelOrder } from './cancel-order.js'
import { payOrder, repriceOrder } from './pay-order.js'
import { placeOrder } from './place-order.js'
import { priceWanted } from './price.js'
import { findOrder } from './find-order.js'
import { listOrders, pageOrders, readOrder } from './queries.js'
import { planRenewal, renewAsAsked } from './renew-order.js'
import { aheadOf, readRenewalsAhead } from './renewals-ahead.js'
import { renameServer } from './rename-server.js'
import { planUpgrade, upgradeOrder } from './upgrade-order.js'
import { setOrderStatus } from './set-order-status.js'
import { setLabels } from './set-labels.js'
import { setAutoRenewal } from './set-auto-renewal.js'

export const ordersRouter = router({
  /** Never reads a client's price. */
  quote: publicProcedure
    .input(placeOrderInput.extend({ dryRun: z.boolean().default(false) }))
    .output(quoteView)
    .query(async ({ ctx, input }) => {
      if (!ctx.user) await countCall(ctx.deps.shopDb, 'quotePerAddress', addressBlock(ctx.address), ctx.now())
      const snapshot = await readSnapshot(ctx.deps)
      const offer = {
        group: snapshot.priceGroups.find((group) => group.id === input.priceGroupId) ?? null,
        image:
          snapshot.images.find((each) => each.os_name === input.osName && each.os_version === input.osVersion) ?? null,
      }
      const { group, image, price } = priceWanted(offer, input, ctx.now())
      const wanted = { groupId: group.serverGroupId, spec: input, image }
      const { quantity } = input
      const scope = { groupId: group.serverGroupId, addresses: input.ipCount }
      const { shopDb } = ctx.deps
      // What is kept for pages knows few addresses only.
      const available =
        quantity > 1
          ? await hasLot(shopDb, wanted, quantity)
          : (input.dryRun ? await readStock(shopDb, scope) : snapshot.stock)(wanted)
      if (input.dryRun && !available) fail('NO_STOCK')
      return { ...timesQuote(price, quantity), available }
    }),

  /** PENDING, at today's quote; several are paid together. */
  place: signedIn
    .concat(keyed('orders.place'))
    .input(placeOrderInput.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input: { idempotencyKey, initialPassword, ...input } }) => {
      const chosen = Array.from(
        { length: input.quantity },
        () => initialPassword ?? generatePassword((below) => randomInt(below)),
      )
      const secrets = chosen.map((each) => ctx.deps.vault.seal(each))
      // A password by its fingerprint, since hashes are kept.
      const password = initialPassword === null ? null : ctx.deps.vault.fingerprint(initialPassword)
      const id = uuidv7()
      const placed: OrderInFen[] = []
      const place = async (tx: Tx, now: Date) => {
        placed.push(await placeOrder(tx, ctx.user, { ...input, id, secrets }, now))
        return id
      }
      const made = await ctx.once({ idempotencyKey, ...input, password }, place, id)
      const view = input.quantity === 1 ? placed.at(-1) : undefined
      return view ? { ...view, initialPassword: must(chosen[0]) } : readWithPassword(ctx, { id: made })
    }),

  list: signedIn.output(z.array(orderRow)).query(({ ctx }) => listOrders(ctx.db, ctx.user.id, ctx.now())),

  page: signedIn
    .input(pageInput.extend(orderFilter.shape))
    .output(pageOf(orderRow))
    .query(({ ctx, input }) => pageOrders(ctx.db, ctx.user.id, input, input, ctx.now())),

  all: adminOnly
    .input(pageInput.extend(orderFilter.shape).extend({ userId: z.uuid().optional(), ...dayRange.shape }))
    .output(pageOf(orderRow.extend({ ownerName: z.string() })))
    .query(({ ctx, input }) => pageAllOrders(ctx.db, input, ctx.now())),

  get: signedIn
    .input(recordRef)
    .output(orderView)
    .query(({ ctx, input }) => readWithPassword(ctx, input)),

  byNumber: signedIn
    .input(z.object({ orderNumber: z.string().max(40) }))
    .output(orderView)
    .query(({ ctx, input }) => readWithPassword(ctx, { number: input.orderNumber })),

  /** With all unpaid ones of its purchase, or none. 402 余额不足, 409 库存不足, 409 价格已变更 (then with the new amount). */
  pay: signedIn
    .concat(keyed('orders.pay'))
    .input(payOrderInput.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      const paid: (OrderInFen | null)[] = []
      try {
        await ctx.onceFor(input, async (tx, now) => paid.push(await payOrder(tx, ctx.user, input, now)))
      } catch (error) {
        if (error instanceof Refusal && error.code === 'PRICE_CHANGED')
          await inTx(ctx.db, (tx) => repriceOrder(tx, ctx.user, input.id, ctx.now()))
        throw error
      }
      return paid.at(-1) ?? readPlain(ctx, input.id)
    }),

  cancel: signedIn
    .concat(keyed('orders.cancel'))
    .input(recordRef.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => cancelOrder(tx, ctx.user, input.id, now))
      return readPlain(ctx, input.id)
    }),

  setStatus: adminOnly
    .concat(keyed('orders.setStatus'))
    .input(setOrderStatusInput.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => setOrderStatus(tx, ctx.user, input, now))
      return readPlain(ctx, input.id)
    }),

  setAutoRenewal: signedIn
    .input(recordRef.extend({ autoRenewal: z.boolean({ error: '请选择是否自动续费' }) }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => setAutoRenewal(tx, ctx.user, input, ctx.now()))
      return readPlain(ctx, input.id)
    }),

  /** Also for an administrator, who may renew it for the owner. */
  renewal: signedIn
    .input(recordRef)
    .output(renewalView)
    .query(async ({ ctx, input }) => {
      const order = await findOrder(ctx.db, input.id, ctx.user.role === 'ADMIN' ? undefined : ctx.user.id)
      const { amount, expiresAt } = await planRenewal(ctx.db, order, ctx.now())
      const endsAt = order.expires_at?.toISOString() ?? null
      return { amount, endsAt, expiresAt: expiresAt.toISOString(), period: order.period }
    }),

  /** The caller's own, of the next days. */
  renewalsAhead: signedIn
    .output(renewalsAhead)
    .query(({ ctx }) => readRenewalsAhead(ctx.db, ctx.user.id, aheadOf(ctx.now()), ctx.now())),

  /** Also by an administrator, from the owner's wallet. 402, 409 (also where amount or end differ from those shown). */
  renew: signedIn
    .concat(keyed('orders.renew'))
    .input(renewOrderInput.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => renewAsAsked(tx, ctx.user, input, now))
      return readPlain(ctx, input.id)
    }),

  upgradeQuote: signedIn
    .input(upgradeInput)
    .output(upgradeQuoteView)
    .query(async ({ ctx, input }) => {
      const order = await findOrder(ctx.db, input.id, ctx.user.id)
      const plan = await planUpgrade(ctx.db, order, input, ctx.now())
      return {
        amount: plan.amount,
        periodBefore: plan.periodBefore,
        periodAfter: plan.periodAfter,
        remainingSeconds: plan.remainingSeconds,
        available:
          !plan.isOfMachine ||
          (order.server_id !== null && (await hasRoomToGrow(ctx.db, order.server_id, plan.spec, plan.moreAddresses))),
        spec: plan.spec,
      }
    }),

  /** 402, 409 (also where it costs more than shown). */
  upgrade: signedIn
    .concat(keyed('orders.upgrade'))
    .input(upgradeOrderInput.extend({ idempotencyKey }))
    /** Null: more backups alone, done at once. */
    .output(z.object({ jobId: z.uuid().nullable() }))
    .mutation(async ({ ctx, input }) => {
      // A key keeps an id: the order's where there was no job.
      const made = await ctx.once(input, async (tx, now) => (await upgradeOrder(tx, ctx.user, input, now)) ?? input.id)
      return { jobId: made === input.id ? null : made }
    }),

  setLabels: signedIn
    .input(orderLabelsInput)
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => setLabels(tx, ctx.user, input, ctx.now()))
      return readPlain(ctx, input.id)
    }),

  renameServer: signedIn
    .input(
      recordRef.extend({
        serverName: label,
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

/** Until the order ends (specification); never in lists. */
async function readWithPassword(ctx: SignedInContext, which: { id: string } | { number: string }) {
  const { view, initialSecretId } = await readOrder(ctx.db, readerOf(ctx), which, ctx.now())
  const initialPassword = initialSecretId && (await openIfReadable(ctx.db, ctx.deps.vault, initialSecretId))
  return initialPassword === null ? view : { ...view, initialPassword }
}
