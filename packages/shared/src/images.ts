import { transferStatuses } from './agent.js'

/** `ready` may be placed on; of an `unbootable` one no guest came up; `none`: no file, and nothing fetches it. */
export const imagePresences = ['ready', 'unbootable', ...transferStatuses, 'none'] as const

/** Without user, password and query, which may be secrets: for logs and lists. */
export function publicUrl(url: string): string {
  const [address = '', ...hidden] = url.split(/[?#]/)
  return address.replace(/\/\/[^/]*@/, '//') + (hidden.length > 0 ? '?…' : '')
}
