import type { ImageOnHost } from '@vps/shared/images.contract'

const order: Record<ImageOnHost['status'], number> = {
  failed: 0,
  unbootable: 1,
  running: 2,
  checking: 3,
  waiting: 4,
  none: 5,
  ready: 6,
}

export const byNeed = (hosts: readonly ImageOnHost[]) => hosts.toSorted((a, b) => order[a.status] - order[b.status])
