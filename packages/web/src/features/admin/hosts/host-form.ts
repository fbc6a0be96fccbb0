import * as labels from '@vps/shared/labels'
import { createHostInput, updateHostInput, type HostView } from '@vps/shared/hosts.contract'
import type { Inputs } from '../../../api/trpc'
import { contractFaults, type Faults } from '../../../forms/contract-faults'
import type { Compared } from '../parts/compared'

export type Values = Inputs['hosts']['create'] & { version?: number | undefined }

export const empty: Values = {
  name: '',
  groupIds: [],
  poolIds: [],
  cpuOvercommit: 4,
  reservedMemoryMb: 0,
  bridge: null,
}

export const valuesOf = (host: HostView): Values => ({
  name: host.name,
  groupIds: host.groups.map(({ id }) => id),
  poolIds: host.pools.map(({ id }) => id),
  cpuOvercommit: host.cpuOvercommit,
  reservedMemoryMb: host.reservedMemoryMb,
  bridge: host.bridge,
  version: host.version,
})

const contract = createHostInput.extend({ version: updateHostInput.shape.version })

/** A blank bridge means the agent's default. */
export const faultsOf = (values: Values): Faults =>
  contractFaults(contract, { ...values, bridge: values.bridge?.trim() || null }, ['cpuOvercommit', 'reservedMemoryMb'])

type Named = { id: string; name: string }

export const comparedOf = (groups: { value: string; text: string }[], pools: Named[]): Compared<Values>[] => [
  { name: 'name', label: labels.name },
  {
    name: 'groupIds',
    label: labels.serverGroup,
    show: (ids) => namesOf(ids, new Map(groups.map(({ value, text }) => [value, text]))),
  },
  {
    name: 'poolIds',
    label: labels.ipPool,
    show: (ids) => namesOf(ids, new Map(pools.map(({ id, name }) => [id, name]))),
  },
  { name: 'cpuOvercommit', label: labels.cpuOvercommit },
  { name: 'reservedMemoryMb', label: labels.reservedMemory },
  { name: 'bridge', label: labels.bridge },
]

const namesOf = (ids: string[], names: Map<string, string>) =>
  ids.map((id) => names.get(id) ?? id).join('、') || labels.none
