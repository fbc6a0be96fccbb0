/** Which hosts are shown first of those that have an image or not. */
import type { ImageOnHost } from '@vps/shared/images.contract'

/** What is under way or failed first, then what is missing, then what is well. */
const order: Record<ImageOnHost['status'], number> = {
  failed: 0,
  unbootable: 1,
  running: 2,
  checking: 3,
  waiting: 4,
  none: 5,
  ready: 6,
}

/** What somebody must look at first. */
export const byNeed = (hosts: readonly ImageOnHost[]) => hosts.toSorted((a, b) => order[a.status] - order[b.status])
