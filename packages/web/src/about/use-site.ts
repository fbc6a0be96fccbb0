import type { SiteSettings } from '@vps/shared/site'
import { trpc } from '../api/trpc'

/** What the shop says of itself. Undefined until it was read: nothing is claimed meanwhile. */
export const useSite = (): SiteSettings | undefined => trpc.shop.site.useQuery(undefined, { staleTime: 60_000 }).data
