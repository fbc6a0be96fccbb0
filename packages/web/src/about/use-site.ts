import type { SiteSettings } from '@vps/shared/site'
import { trpc } from '../api/trpc'

/** What the shop says of itself; undefined until read. */
export const useSite = (): SiteSettings | undefined => trpc.shop.site.useQuery(undefined, { staleTime: 60_000 }).data
