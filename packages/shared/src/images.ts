import { transferStatuses } from './agent.js'

/**
 * Whether a host has an image: `ready` may be placed on, of an `unbootable` one no guest came up there, `none` has no
 * file and nothing fetches it.
 */
export const imagePresences = ['ready', 'unbootable', ...transferStatuses, 'none'] as const

/** A download address without what may be a secret in it: no user, no password, no query. For logs and lists. */
export function publicUrl(url: string): string {
  const [address = '', ...hidden] = url.split(/[?#]/)
  return address.replace(/\/\/[^/]*@/, '//') + (hidden.length > 0 ? '?…' : '')
}
