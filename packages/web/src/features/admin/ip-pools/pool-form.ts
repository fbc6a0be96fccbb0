import * as labels from '@vps/shared/labels'
import { isIpv6 } from '@vps/shared/networks'
import * as text from '@vps/shared/text'
import { poolInput, updatePoolInput, type PoolView } from '@vps/shared/pools.contract'
import type { Compared } from '../parts/compared'
import { contractFaults, type Faults } from '../../../forms/contract-faults'

export interface Values {
  name: string
  network: string
  firstAddress: string
  lastAddress: string
  gateway: string
  dns: string
  bridge: string
  portion: 'address' | 'prefix'
  kind: 'public' | 'nat'
  nat: { address: string; firstPort: number; ports: number }
  version: number
}

export const empty: Values = {
  name: '',
  network: '',
  firstAddress: '',
  lastAddress: '',
  gateway: '',
  dns: '',
  bridge: '',
  portion: 'address',
  kind: 'public',
  nat: { address: '', firstPort: 20_000, ports: 20 },
  version: 0,
}

export const valuesOf = (pool: PoolView): Values => ({
  name: pool.name,
  network: pool.network,
  firstAddress: pool.firstAddress ?? '',
  lastAddress: pool.lastAddress ?? '',
  gateway: pool.gateway ?? '',
  dns: pool.dns.join('，'),
  bridge: pool.bridge ?? '',
  portion: pool.machinePrefix === null ? 'address' : 'prefix',
  kind: pool.nat === null ? 'public' : 'nat',
  nat: pool.nat ?? empty.nat,
  version: pool.version,
})

export const settingsOf = ({ name, gateway, dns, bridge }: Values) => ({
  name,
  gateway: gateway.trim() || null,
  dns: dns
    .split(/[,，、\s]+/)
    .map((server) => server.trim())
    .filter(Boolean),
  bridge: bridge.trim() || null,
})

export const inputOf = (values: Values) => ({
  ...settingsOf(values),
  network: values.network,
  firstAddress: values.firstAddress.trim() || null,
  lastAddress: values.lastAddress.trim() || null,
  machinePrefix: values.portion === 'prefix' && isIpv6(values.network) ? (64 as const) : null,
  nat: values.kind === 'nat' && !isIpv6(values.network) ? values.nat : null,
})

const editContract = updatePoolInput.omit({ id: true })

/** DNS servers share one field for faults. */
export function faultsOf(values: Values, pool: PoolView | null): Faults {
  const faults = pool
    ? contractFaults(editContract, { ...settingsOf(values), version: pool.version })
    : { ...contractFaults(poolInput, inputOf(values)), ...gatewayFault(values) }
  const ofDns = ([path]: [string, string]) => path.split('.')[0] === 'dns'
  const others = Object.entries(faults).filter((fault) => !ofDns(fault))
  const dns = others.length < Object.keys(faults).length ? { dns: 'IP地址格式不正确，最多 4 个' } : {}
  return { ...Object.fromEntries(others), ...dns }
}

function gatewayFault({ kind, network, gateway }: Values): Faults {
  return kind === 'nat' && !isIpv6(network) && gateway.trim() === '' ? { gateway: text.required } : {}
}

export const compared: Compared<Values>[] = [
  { name: 'name', label: labels.name },
  { name: 'gateway', label: labels.gateway },
  { name: 'dns', label: 'DNS' },
  { name: 'bridge', label: labels.bridge },
]
