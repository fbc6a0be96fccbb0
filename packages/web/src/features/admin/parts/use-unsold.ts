import { silenceLookMs } from '../../../api/look-again'
import { trpc } from '../../../api/trpc'

/** Why nothing of a group can be bought, by its id. An agent's silence is told by nobody, so it is looked at again. */
export function useUnsold(): ReadonlyMap<string, string> {
  const unsold = trpc.shop.unsold.useQuery(undefined, { refetchInterval: silenceLookMs })
  return new Map(unsold.data?.map(({ groupId, message }) => [groupId, message]))
}
