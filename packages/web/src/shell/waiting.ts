import type { Waiting } from '@vps/shared/overview.contract'
import { useSession } from '../api/session'
import { trpc } from '../api/trpc'
import type { NavEntry } from './navigation'

/** Of staff's entries; nobody else asks. */
export function useWaiting(): (entry: NavEntry) => number {
  const { user } = useSession()
  const waiting: Waiting | undefined = trpc.operations.waiting.useQuery(undefined, {
    enabled: user?.isAdmin === true,
  }).data
  return ({ waits }) => (waits && waiting?.[waits]) ?? 0
}
