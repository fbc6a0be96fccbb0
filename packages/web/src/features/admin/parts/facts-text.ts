import { findingFactNames } from '@vps/shared/finding-facts'
import { actionWords } from '@vps/shared/job-words'
import * as labels from '@vps/shared/labels'
import { formatYuan, fen } from '@vps/shared/money'
import { paymentMethodNames } from '@vps/shared/payments'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import { dateTimeText } from '../../../ui/Time'

/** In one line, for people who run the system. */
export const factsText = (details: object): string => partsOf(details, '，') || '—'

const partsOf = (details: object, between: string): string =>
  Object.entries(details)
    .map(([name, value]) => `${names[name] ?? name} ${textOf(name, value)}`)
    .join(between)

const names: Record<string, string> = findingFactNames
const words: Record<string, Record<string, string>> = {
  power: { on: verbs.powerOn, off: verbs.stop, unknown: states.unknown },
  method: paymentMethodNames,
  askedMethod: paymentMethodNames,
  jobKind: actionWords,
  frequency: { daily: labels.everyDay, weekly: labels.everyWeek },
}

function textOf(name: string, value: unknown): string {
  if (value === null) return labels.none
  if (typeof value === 'object') return Array.isArray(value) ? value.join(' ') : partsOf(value, '、')
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  if (name === 'bytes' && typeof value === 'number') return `${(value / 1024 ** 3).toFixed(2)} GB`
  if (name.endsWith('Fen') && typeof value === 'number') return formatYuan(fen(value))
  if (name.endsWith('At') && typeof value === 'string') return dateTimeText(value)
  return typeof value === 'string' ? (words[name]?.[value] ?? value) : (JSON.stringify(value) ?? '')
}
