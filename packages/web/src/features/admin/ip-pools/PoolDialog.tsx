import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { poolInput, updatePoolInput, type PoolView } from '@vps/shared/pools.contract'
import { useForm, type Control } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import type { Compared } from '../parts/Conflict'
import { contractFaults, type Faults } from '../../../forms/contract-faults'
import { resolverOf } from '../../../forms/resolver-of'
import { FormText, Row, Section } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { rereadOperations } from '../parts/reread'

interface Values {
  name: string
  network: string
  firstAddress: string
  lastAddress: string
  gateway: string
  dns: string
  bridge: string
  version: number
}

const editContract = updatePoolInput.omit({ id: true })

/** What is wrong with the form, by field. A bad server among several is told at the one field that they share. */
function faultsOf(values: Values, pool: PoolView | null): Faults {
  const faults = pool
    ? contractFaults(editContract, { ...settingsOf(values), version: pool.version })
    : contractFaults(poolInput, inputOf(values))
  const ofDns = ([path]: [string, string]) => path.split('.')[0] === 'dns'
  const others = Object.entries(faults).filter((fault) => !ofDns(fault))
  const dns = others.length < Object.keys(faults).length ? { dns: 'IP地址格式不正确，最多 4 个' } : {}
  return { ...Object.fromEntries(others), ...dns }
}

/** Makes a pool or edits one. Its addresses are written out when it is made, so its network stays. */
export default function PoolDialog({ pool, onClose }: { pool: PoolView | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const create = trpc.pools.create.useMutation()
  const update = trpc.pools.update.useMutation()
  const form = useForm<Values>({
    defaultValues: pool ? valuesOf(pool) : empty,
    resolver: resolverOf((values) => faultsOf(values, pool)),
  })
  return (
    <FormDialog
      title={pool ? verbs.editIpPool : verbs.createIpPool}
      width={640}
      form={form}
      saved={pool ? 'IP 池已更新' : 'IP 池已创建'}
      failed={pool ? '更新 IP 池失败' : '创建 IP 池失败'}
      {...(pool ? {} : { taken: { field: 'network' as const, message: '名称或其中的地址已存在于其他池' } })}
      save={async (values) => {
        if (pool) await update.mutateAsync({ ...settingsOf(values), id: pool.id, version: values.version })
        else await create.mutateAsync(inputOf(values))
        await rereadOperations(utils)
      }}
      {...(pool
        ? {
            newer: {
              fields: compared,
              read: async () => valuesOf(await utils.pools.get.fetch({ id: pool.id }, { staleTime: 0 })),
            },
          }
        : {})}
      onClose={onClose}
    >
      <PoolFields control={form.control} isNew={pool === null} />
    </FormDialog>
  )
}

function PoolFields({ control, isNew }: { control: Control<Values>; isNew: boolean }) {
  return (
    <>
      <FormText control={control} name="name" label={labels.name} required maxLength={100} autoComplete="off" />
      {isNew && (
        <>
          <FormText
            control={control}
            name="network"
            label={labels.network}
            required
            autoComplete="off"
            placeholder="203.0.113.0/24"
            help="CIDR 格式，IPv4 或 IPv6；网络地址、广播地址和网关不会分配"
          />
          <Row>
            <FormText
              control={control}
              name="firstAddress"
              label={labels.firstAddress}
              autoComplete="off"
              help="留空从网段的第一个地址开始"
            />
            <FormText
              control={control}
              name="lastAddress"
              label={labels.lastAddress}
              autoComplete="off"
              help="最多写入 4096 个地址"
            />
          </Row>
        </>
      )}
      <Row>
        <FormText
          control={control}
          name="gateway"
          label={labels.gateway}
          autoComplete="off"
          placeholder="203.0.113.1"
        />
        <FormText
          control={control}
          name="dns"
          label="DNS"
          autoComplete="off"
          placeholder="223.5.5.5，119.29.29.29"
          help="用逗号分隔，最多 4 个"
        />
      </Row>
      <Section title="接入">
        <Row>
          <FormText
            control={control}
            name="bridge"
            label={labels.bridge}
            autoComplete="off"
            help="留空使用宿主机的设置；每个 VLAN 用一个网桥"
          />
        </Row>
      </Section>
    </>
  )
}

const empty: Values = {
  name: '',
  network: '',
  firstAddress: '',
  lastAddress: '',
  gateway: '',
  dns: '',
  bridge: '',
  version: 0,
}

const valuesOf = (pool: PoolView): Values => ({
  name: pool.name,
  network: pool.network,
  firstAddress: pool.firstAddress ?? '',
  lastAddress: pool.lastAddress ?? '',
  gateway: pool.gateway ?? '',
  dns: pool.dns.join('，'),
  bridge: pool.bridge ?? '',
  version: pool.version,
})

const settingsOf = ({ name, gateway, dns, bridge }: Values) => ({
  name,
  gateway: gateway.trim() || null,
  dns: dns
    .split(/[,，、\s]+/)
    .map((server) => server.trim())
    .filter(Boolean),
  bridge: bridge.trim() || null,
})

const inputOf = (values: Values) => ({
  ...settingsOf(values),
  network: values.network,
  firstAddress: values.firstAddress.trim() || null,
  lastAddress: values.lastAddress.trim() || null,
})

const compared: Compared<Values>[] = [
  { name: 'name', label: labels.name },
  { name: 'gateway', label: labels.gateway },
  { name: 'dns', label: 'DNS' },
  { name: 'bridge', label: labels.bridge },
]
