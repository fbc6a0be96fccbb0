import { findingKinds, findingName } from './finding-words.js'

/** What lasts as long is mailed to administrators. */
export const alertAfterMinutes = 5

/** Between two such mails: what begins and ends meanwhile stands in the next. */
export const alertPauseMinutes = 10

export const alertKinds = ['finding', 'silent-host'] as const

/** `finding`: its kind; null: the host is silent. */
export const alertName = ({ finding }: { finding: string | null }): string =>
  finding === null ? '宿主机失联' : findingName({ kind: finding })

/** What to do, where somebody knows. */
export const alertAdvice = ({ finding }: { finding: string | null }): string | undefined =>
  finding === null
    ? '请检查宿主机的电源与网络，以及代理是否在运行（systemctl status vps-agent）；计划内的停机请先将宿主机设为维护。'
    : findingKinds[finding]?.advice
