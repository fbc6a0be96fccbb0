import type { Query } from '@tanstack/react-query'
import type { trpc } from '../../../api/trpc'

/** Operators' data hangs together: an act asks again for all shown. */
export async function rereadOperations(utils: ReturnType<typeof trpc.useUtils>): Promise<void> {
  const { audit, findings, hosts, images, jobs, lostOrders, migrations, operations, orders, pools, refunds } = utils
  const nouns = [audit, findings, hosts, images, jobs, lostOrders, migrations, operations, orders, pools, refunds]
  await Promise.all(
    nouns.map(async (noun) => {
      await noun.invalidate(undefined, { predicate: isFirst })
      await noun.invalidate()
    }),
  )
}

/** An answer on its way that is older than the act, and that the library would take for the new one. */
const isFirst = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined
