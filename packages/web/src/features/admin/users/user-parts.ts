import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'

/** In the order of its links. */
export const userParts = [
  ['orders', labels.order],
  ['servers', labels.server],
  ['wallet', labels.walletEntries],
  ['payments', pages.payments],
  ['mails', labels.mails],
  ['devices', labels.signedInDevices],
  ['notes', labels.staffNotes],
  ['audit', pages.auditLog],
] as const
export type UserPart = (typeof userParts)[number][0]

/** The orders where the address names none. */
export const userPartIn = (search: URLSearchParams): UserPart =>
  userParts.find(([part]) => part === search.get('part'))?.[0] ?? 'orders'
