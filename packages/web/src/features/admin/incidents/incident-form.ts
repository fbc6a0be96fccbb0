import { incidentInput, incidentUpdateInput, type IncidentView } from '@vps/shared/status.contract'
import { components, isServiceKey, regionKey, serviceName, type IncidentState } from '@vps/shared/status'
import * as text from '@vps/shared/text'
import type { Inputs } from '../../../api/trpc'
import { contractFaults, type Faults } from '../../../forms/contract-faults'
import type { Option } from '../../../ui/Select'
import { timeOf } from '../parts/typed-moment'

export interface Values {
  title: string
  services: string[]
  /** Shanghai time; empty: now. */
  startsAt: string
  endsAt: string
  state: IncidentState
  body: string
}

export const empty: Values = { title: '', services: [], startsAt: '', endsAt: '', state: 'investigating', body: '' }

/** Every component, and each region with something sold. */
export const serviceOptions = (groups: readonly { region: string | null }[]): Option[] => {
  const regions = [...new Set(groups.flatMap(({ region }) => region || []))]
  return [...components, ...regions.map(regionKey)].map((key) => ({ value: key, text: serviceName(key) }))
}

/** What is sent. */
export const inputOf = (values: Values): Inputs['status']['report'] => ({
  ...updateOf(values),
  title: values.title,
  services: values.services.filter(isServiceKey),
  startsAt: timeOf(values.startsAt),
})

/** What is sent. */
export const updateOf = ({ state, body, endsAt }: Values): Omit<Inputs['status']['update'], 'id'> => ({
  state,
  body,
  endsAt: state === 'resolved' ? timeOf(endsAt) : null,
})

/** Of a new incident, or of an update. */
export function faultsOf(values: Values, incident: IncidentView | null, now: Date): Faults {
  const input = incident ? updateOf(values) : inputOf(values)
  const faults = contractFaults(incident ? incidentUpdateInput : incidentInput, input)
  const [starts, ends] = [timeOf(values.startsAt) ?? incident?.startsAt, input.endsAt]
  if (!incident && starts && Date.parse(starts) > now.getTime()) faults['startsAt'] = text.startsLater
  if (ends && (Date.parse(ends) > now.getTime() || (starts && Date.parse(ends) < Date.parse(starts))))
    faults['endsAt'] = text.badRecovery
  return faults
}
