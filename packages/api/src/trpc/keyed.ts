import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { inTxOnce, type Keyed } from '../idempotency.js'
import { t } from './init.js'

/**
 * One transaction per key; repeats get the same id. The key stands for the rest of the input. A known id spares a
 * statement.
 */
export type Once = <I extends Keyed>(
  input: I,
  make: (tx: Tx, now: Date) => Promise<string>,
  id?: string,
) => Promise<string>

export type OnceFor = <I extends Keyed & { id: string }>(
  input: I,
  act: (tx: Tx, now: Date) => Promise<unknown>,
) => Promise<void>

/**
 * The input takes `idempotencyKey`. Keys are kept under `call`, which stays when the procedure moves:
 * `signedIn.concat(keyed('orders.pay'))`.
 */
export const keyed = (call: string) =>
  t.procedure.meta({ keyed: call }).use(({ ctx, next }) => {
    const once: Once = (input, make, id) =>
      inTxOnce({ ...ctx, user: ctx.user ?? fail('UNAUTHENTICATED') }, call, input, make, id)
    const onceFor: OnceFor = async (input, act) => {
      const make = async (tx: Tx, now: Date) => {
        await act(tx, now)
        return input.id
      }
      await once(input, make, input.id)
    }
    return next({ ctx: { once, onceFor } })
  })
