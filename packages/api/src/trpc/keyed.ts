import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { inTxOnce, type Keyed } from '../idempotency.js'
import { t } from './init.js'

/**
 * One transaction, run once per key of its caller; gives the id of what `make` made or changed, to every repeat too.
 * The key stands for the rest of the input: everything that the caller chose.
 */
export type Once = <I extends Keyed>(input: I, make: (tx: Tx, now: Date) => Promise<string>) => Promise<string>

/**
 * A call that makes something, moves money or acts on a machine: its input takes `idempotencyKey`, and `ctx.once` runs
 * it once per key. Keys are kept under `call`, which stays when the procedure moves.
 * `signedIn.concat(keyed('orders.pay'))`.
 */
export const keyed = (call: string) =>
  t.procedure.meta({ keyed: call }).use(({ ctx, next }) => {
    const once: Once = (input, make) =>
      inTxOnce({ ...ctx, user: ctx.user ?? fail('UNAUTHENTICATED') }, call, input, make)
    return next({ ctx: { once } })
  })
