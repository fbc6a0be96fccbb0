import { silenceLookMs } from '../../../api/look-again'
import { trpc } from '../../../api/trpc'

/** Why nothing of a group can be bought. Nobody tells of an agent's silence: looked at again. */
export function useUnsold(): ReadonlyMap<string, string> {
  const unsold = trpc.shop.unsold.useQuery(undefined, { refetchInterval: silenceLookMs })
  return new Map(unsold.data?.map(({ groupId, message }) => [groupId, message]))
}
