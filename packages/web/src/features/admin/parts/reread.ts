import type { trpc } from '../../../api/trpc'

/** Operators' data hangs together: an act asks again for all shown. */
export async function rereadOperations(utils: ReturnType<typeof trpc.useUtils>): Promise<void> {
  const { audit, findings, hosts, images, jobs, lostOrders, migrations, operations, orders, pools, refunds } = utils
  await Promise.all(
    [audit, findings, hosts, images, jobs, lostOrders, migrations, operations, orders, pools, refunds].map((noun) =>
      noun.invalidate(),
    ),
  )
}
