import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import { dedicatedServerInput, type AdminServer } from '@vps/shared/servers.contract'
import * as text from '@vps/shared/text'
import type { Inputs } from '../../../api/trpc'
import type { Option } from '../../../ui/Select'
import { contractFaults, type Faults } from '../../../forms/contract-faults'
import type { Compared } from '../parts/compared'

export type Values = Inputs['servers']['create']

export const empty: Values = {
  groupId: '',
  ip: '',
  port: 22,
  username: 'root',
  password: '',
  status: 'OFFLINE',
  isSold: false,
  isReimaged: false,
  operatingSystem: '',
  cpuCores: Number.NaN,
  memory: Number.NaN,
  diskSpace: Number.NaN,
  diskType: 'SSD',
  networkSpeed: '',
}

/** The password is never given back. */
export const valuesOf = (server: AdminServer): Values => ({
  groupId: server.groupId,
  ip: server.ip ?? '',
  port: server.port,
  username: server.username,
  password: '',
  status: server.status,
  isSold: server.isSold,
  isReimaged: false,
  operatingSystem: server.operatingSystem ?? '',
  cpuCores: server.cpuCores,
  memory: server.memory,
  diskSpace: server.diskSpace,
  diskType: server.diskType,
  networkSpeed: server.networkSpeed,
  version: server.version,
})

/** A blank password keeps the old one. */
export function changeOf(
  values: Values,
  server: Pick<AdminServer, 'isSold'>,
): Partial<Pick<Values, 'isSold'>> & Omit<Values, 'isSold'> {
  const { isSold, ...rest } = withoutBlankPassword(values)
  // Sent unchanged, it would undo that the machine waits to be cleaned.
  return { ...rest, ...(isSold === server.isSold ? {} : { isSold }) }
}

function withoutBlankPassword({ password, ...rest }: Values): Values {
  return password ? { ...rest, password } : rest
}

const numbers = ['port', 'cpuCores', 'memory', 'diskSpace'] as const

const newContract = dedicatedServerInput.required({ password: true }).extend({
  password: dedicatedServerInput.shape.password.unwrap().min(1, { error: text.required }),
})

export const faultsOfNew = (values: Values): Faults => contractFaults(newContract, values, numbers)

export const faultsOfEdited = (values: Values): Faults =>
  contractFaults(dedicatedServerInput, withoutBlankPassword(values), numbers)

export const comparedOf = (groups: Option[]): Compared<Values>[] => [
  {
    name: 'groupId',
    label: labels.serverGroup,
    show: (id) => groups.find(({ value }) => value === id)?.text ?? String(id),
  },
  { name: 'ip', label: labels.ipAddress },
  { name: 'port', label: labels.sshPort },
  { name: 'username', label: labels.username },
  { name: 'status', label: labels.status, show: (status) => (status === 'ONLINE' ? states.online : states.offline) },
  { name: 'isSold', label: labels.isSold },
  { name: 'operatingSystem', label: labels.operatingSystem },
  { name: 'cpuCores', label: 'CPU' },
  { name: 'memory', label: labels.memory },
  { name: 'diskSpace', label: labels.disk },
  { name: 'diskType', label: labels.diskType },
  { name: 'networkSpeed', label: labels.networkSpeed },
]
