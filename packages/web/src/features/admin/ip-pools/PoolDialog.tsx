import * as labels from '@vps/shared/labels'
import { isIpv6 } from '@vps/shared/networks'
import * as verbs from '@vps/shared/verbs'
import type { PoolView } from '@vps/shared/pools.contract'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { resolverOf } from '../../../forms/resolver-of'
import { FormNumber, FormSelect, FormText, Row, Section } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { rereadOperations } from '../parts/reread'
import type { Option } from '../../../ui/Select'
import { type Values, empty, valuesOf, settingsOf, inputOf, faultsOf, compared } from './pool-form'

/** Addresses are written out when a pool is made, so its network stays. */
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

const portions: Option[] = [
  { value: 'address', text: '一个地址' },
  { value: 'prefix', text: '一个 /64 前缀，其中的地址都可使用' },
]

const kinds: Option[] = [
  { value: 'public', text: '公网地址，每台服务器独享' },
  { value: 'nat', text: 'NAT：内网地址，共享宿主机的公网地址' },
]

function PoolFields({ control, isNew }: { control: Control<Values>; isNew: boolean }) {
  return (
    <>
      <FormText control={control} name="name" label={labels.name} required maxLength={100} autoComplete="off" />
      {isNew && <Network control={control} />}
      <Row>
        <FormText
          control={control}
          name="gateway"
          exact
          label={labels.gateway}
          autoComplete="off"
          placeholder="203.0.113.1"
        />
        <FormText
          control={control}
          name="dns"
          exact
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
            exact
            help="留空使用宿主机的设置；每个 VLAN 用一个网桥"
          />
        </Row>
      </Section>
    </>
  )
}

/** What stays as it was made. */
function Network({ control }: { control: Control<Values> }) {
  const network = useWatch({ control, name: 'network' })
  const kind = useWatch({ control, name: 'kind' })
  return (
    <>
      <FormText
        control={control}
        name="network"
        exact
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
          exact
          label={labels.firstAddress}
          autoComplete="off"
          help="留空从网段的第一个地址开始"
        />
        <FormText
          control={control}
          name="lastAddress"
          exact
          label={labels.lastAddress}
          autoComplete="off"
          help="最多写入 4096 个地址"
        />
      </Row>
      {!isIpv6(network) && <FormSelect control={control} name="kind" label="IPv4 地址" options={kinds} />}
      {!isIpv6(network) && kind === 'nat' && <SharedAddress control={control} />}
      {isIpv6(network) && (
        <Section
          title="IPv6"
          note="宿主机另有 IPv4 池时，IPv6 随服务器附送，不计入订购的 IP 数量；用完后新服务器只有 IPv4"
        >
          <FormSelect control={control} name="portion" label={labels.eachServer} options={portions} />
        </Section>
      )}
    </>
  )
}

function SharedAddress({ control }: { control: Control<Values> }) {
  return (
    <Section
      title="NAT"
      note="一个 NAT 池只能用于一台宿主机；每个内网地址依次得到一段外部端口，第一个端口转发到服务器的 SSH 端口，其余原样转发"
    >
      <FormText
        control={control}
        name="nat.address"
        exact
        label={labels.outsideAddress}
        required
        autoComplete="off"
        placeholder="203.0.113.7"
        help="宿主机自己的公网 IPv4 地址，客户连接它；网关填写宿主机在网桥上的地址"
      />
      <Row>
        <FormNumber control={control} name="nat.firstPort" label={labels.firstPort} whole />
        <FormNumber control={control} name="nat.ports" label={labels.portsOfAddress} whole />
      </Row>
    </Section>
  )
}
