import type { trpc } from '../../../api/trpc'

/** Operators' data hangs together: after an act all that is looked at is asked again. */
export async function rereadOperations(utils: ReturnType<typeof trpc.useUtils>): Promise<void> {
  const { audit, findings, hosts, images, jobs, operations, orders, pools, refunds } = utils
  await Promise.all(
    [audit, findings, hosts, images, jobs, operations, orders, pools, refunds].map((noun) => noun.invalidate()),
  )
}
