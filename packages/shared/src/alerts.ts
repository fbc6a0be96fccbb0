import { findingName } from './finding-words.js'

/** What lasts as long is mailed to administrators. */
export const alertAfterMinutes = 5

/** Between two such mails: what begins and ends meanwhile stands in the next. */
export const alertPauseMinutes = 10

export const alertKinds = ['finding', 'silent-host'] as const

/** `finding`: its kind; null: the host is silent. */
export const alertName = ({ finding }: { finding: string | null }): string =>
  finding === null ? '宿主机失联' : findingName({ kind: finding })
