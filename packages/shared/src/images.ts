import { transferStatuses } from './agent.js'

/**
 * `ready` may be placed on; of an `unbootable` one no guest came up; `no-uefi`: the host has no such firmware, which it
 * wants; `none`: no file, and nothing fetches it.
 */
export const imagePresences = ['ready', 'unbootable', 'no-uefi', ...transferStatuses, 'none'] as const

/** What one is for: sold to customers, booted to repair a machine, or a disc that customers put into theirs. */
export const imageKinds = ['system', 'rescue', 'iso'] as const
export type ImageKind = (typeof imageKinds)[number]

/** What a machine of one is started with. */
export const firmwares = ['bios', 'uefi'] as const
export type Firmware = (typeof firmwares)[number]

/** Without user, password and query, which may be secrets: for logs and lists. */
export function publicUrl(url: string): string {
  const [address = '', ...hidden] = url.split(/[?#]/)
  return address.replace(/\/\/[^/]*@/, '//') + (hidden.length > 0 ? '?…' : '')
}
