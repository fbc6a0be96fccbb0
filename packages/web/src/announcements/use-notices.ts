import type { AnnouncementView } from '@vps/shared/announcements.contract'
import { useSession } from '../api/session'
import { trpc } from '../api/trpc'
import { lastNotices, useReadNotices } from './read-notices'

interface Notices {
  data: AnnouncementView[] | undefined
  error: unknown
  isError: boolean
  isPlaceholderData: boolean
  isFetching: boolean
  dataUpdatedAt: number
  refetch: () => Promise<unknown>
}

/** Newest first; asked anew on focus, and each minute: a page may stay open for long. */
export function useNotices(): Notices {
  const { user } = useSession()
  return trpc.announcements.current.useQuery(undefined, {
    staleTime: 60_000,
    refetchOnWindowFocus: true,
    refetchInterval: 60_000,
    placeholderData: () => lastNotices(user?.id ?? null),
  })
}

/** Neither closed nor read in this browser. */
export function useUnreadNotices() {
  const read = useReadNotices()
  return (useNotices().data ?? []).filter(({ id }) => !read.includes(id))
}
