import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'

export const migrations = '迁移'

export const hostParts = [
  ['overview', pages.overview],
  ['servers', labels.server],
  ['migrations', migrations],
  ['jobs', labels.job],
  ['findings', labels.finding],
  ['images', labels.image],
  ['addresses', labels.address],
  ['audit', pages.auditLog],
] as const
export type HostPart = (typeof hostParts)[number][0]

/** The overview where the address names none. */
export const hostPartIn = (search: URLSearchParams): HostPart =>
  hostParts.find(([part]) => part === search.get('part'))?.[0] ?? 'overview'
