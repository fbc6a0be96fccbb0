import type { ImageOnHost } from '@vps/shared/images.contract'

const order: Record<ImageOnHost['status'], number> = {
  failed: 0,
  unbootable: 1,
  'no-uefi': 2,
  running: 3,
  checking: 4,
  waiting: 5,
  none: 6,
  ready: 7,
}

export const byNeed = (hosts: readonly ImageOnHost[]) => hosts.toSorted((a, b) => order[a.status] - order[b.status])
