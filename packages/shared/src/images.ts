import { transferStatuses } from './agent.js'

/** `unbootable`: no guest came up; `no-uefi`: the host lacks that firmware; `none`: no file, and nothing fetches it. */
export const imagePresences = ['ready', 'unbootable', 'no-uefi', ...transferStatuses, 'none'] as const

export const imageKinds = ['system', 'rescue', 'iso'] as const
export type ImageKind = (typeof imageKinds)[number]

export const firmwares = ['bios', 'uefi'] as const
export type Firmware = (typeof firmwares)[number]
export const firmwareWords: Record<Firmware, string> = { bios: 'BIOS', uefi: 'UEFI' }

/** Without user, password and query, which may be secrets. */
export function publicUrl(url: string): string {
  const [address = '', ...hidden] = url.split(/[?#]/)
  return address.replace(/\/\/[^/]*@/, '//') + (hidden.length > 0 ? '?…' : '')
}
