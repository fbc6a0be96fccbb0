import { announcementInput } from '@vps/shared/announcements.contract'
import * as text from '@vps/shared/text'
import type { Inputs } from '../../../api/trpc'
import { contractFaults, type Faults } from '../../../forms/contract-faults'
import { momentOf, timeOf } from '../parts/typed-moment'

export interface Values {
  title: string
  body: string
  level: 'info' | 'warning'
  audience: 'all' | 'group' | 'host'
  groupId: string
  hostId: string
  /** Shanghai time; empty: now, or endless. */
  startsAt: string
  endsAt: string
}

export const empty: Values = {
  title: '',
  body: '',
  level: 'info',
  audience: 'all',
  groupId: '',
  hostId: '',
  startsAt: '',
  endsAt: '',
}

/** What is sent. */
export function inputOf(values: Values): Inputs['announcements']['create'] {
  const { title, body, level, audience, groupId, hostId, startsAt, endsAt } = values
  return {
    title,
    body,
    level,
    groupId: audience === 'group' ? groupId : null,
    hostId: audience === 'host' ? hostId : null,
    startsAt: timeOf(startsAt),
    endsAt: timeOf(endsAt),
  }
}

/** Refuses also an end that has passed. */
export function faultsOf(values: Values, now: Date): Faults {
  const faults: Faults = {}
  // A choice not made is no id at all.
  if (values.audience === 'group' && !values.groupId) faults['groupId'] = text.required
  if (values.audience === 'host' && !values.hostId) faults['hostId'] = text.required
  if (values.endsAt && Date.parse(momentOf(values.endsAt)) <= now.getTime()) faults['endsAt'] = '结束时间必须晚于现在'
  return { ...contractFaults(announcementInput, inputOf(values)), ...faults }
}
