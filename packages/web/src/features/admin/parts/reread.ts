import type { trpc } from '../../../api/trpc'

/** What operators act on hangs together: after an act all of it is asked again, as far as it is looked at. */
export async function rereadOperations(utils: ReturnType<typeof trpc.useUtils>): Promise<void> {
  const { audit, findings, hosts, images, jobs, operations, orders, pools, refunds } = utils
  await Promise.all(
    [audit, findings, hosts, images, jobs, operations, orders, pools, refunds].map((noun) => noun.invalidate()),
  )
}
