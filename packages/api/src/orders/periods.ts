import type { Fen } from '@vps/shared/money'
import type { Tx } from '../db/client.js'

/** Writes one more paid period of an order. */
export async function addPeriod(
  tx: Tx,
  orderId: string,
  period: { startsAt: Date; endsAt: Date; paidFen: Fen },
): Promise<void> {
  const { count } = await tx
    .selectFrom('order_periods')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('order_periods')
    .values({
      order_id: orderId,
      seq: count + 1,
      starts_at: period.startsAt,
      ends_at: period.endsAt,
      paid_fen: period.paidFen,
    })
    .execute()
}
