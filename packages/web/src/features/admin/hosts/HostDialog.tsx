import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { createHostInput, updateHostInput, type HostView } from '@vps/shared/hosts.contract'
import { useForm } from 'react-hook-form'
import { trpc, type Inputs } from '../../../api/trpc'
import type { Compared } from '../parts/Conflict'
import { contractFaults } from '../../../forms/contract-faults'
import { resolverOf } from '../../../forms/resolver-of'
import { FormNumber, FormText, Row, Section } from '../parts/fields'
import { FormChecks } from '../parts/FormChecks'
import { FormDialog } from '../parts/FormDialog'
import { useGroupOptions } from '../parts/use-groups'
import { rereadOperations } from '../parts/reread'
import type { Enrolment } from '../parts/rows'
import type { Control } from 'react-hook-form'
import type { PoolView } from '@vps/shared/pools.contract'
import type { Option } from '../../../ui/Select'

type Values = Inputs['hosts']['create'] & { version?: number | undefined }

const contract = createHostInput.extend({ version: updateHostInput.shape.version })
const resolver = resolverOf<Values>((values) =>
  // A blank bridge means the agent's own default.
  contractFaults(contract, { ...values, bridge: values.bridge?.trim() || null }, ['cpuOvercommit', 'reservedMemoryMb']),
)

/** Prepares a host, or edits its settings. Capacity is what the agent reports and is not entered. */
export function HostDialog({
  host,
  onEnrol,
  onClose,
}: {
  host: HostView | null
  onEnrol: (enrolment: Enrolment, name: string) => void
  onClose: () => void
}) {
  const utils = trpc.useUtils()
  const groups = useGroupOptions()
  const pools = trpc.pools.list.useQuery({})
  const create = trpc.hosts.create.useMutation()
  const update = trpc.hosts.update.useMutation()
  const form = useForm<Values>({
    defaultValues: host ? valuesOf(host) : empty,
    resolver,
  })

  return (
    <FormDialog
      title={host ? verbs.editHost : verbs.enrolHost}
      width={640}
      form={form}
      saveLabel={host ? verbs.save : '生成接入命令'}
      saved={host ? '宿主机已更新' : '接入命令已生成'}
      failed={host ? '更新宿主机失败' : '创建宿主机失败'}
      save={async (values) => {
        if (host) await update.mutateAsync({ ...values, id: host.id })
        else onEnrol(await create.mutateAsync(values), values.name)
        await rereadOperations(utils)
      }}
      {...(host
        ? {
            newer: {
              fields: comparedOf(groups, pools.data?.content ?? []),
              read: async () => valuesOf(await utils.hosts.get.fetch({ id: host.id }, { staleTime: 0 })),
            },
          }
        : {})}
      onClose={onClose}
    >
      <HostFields control={form.control} groups={groups} pools={pools.data?.content ?? []} />
    </FormDialog>
  )
}

function HostFields({ control, groups, pools }: { control: Control<Values>; groups: Option[]; pools: PoolView[] }) {
  return (
    <>
      <FormText control={control} name="name" label={labels.name} required maxLength={100} autoComplete="off" />
      <FormChecks
        control={control}
        name="groupIds"
        legend={labels.serverGroup}
        options={groups}
        empty="还没有服务器分组，请先在分组管理中新增"
      />
      <FormChecks
        control={control}
        name="poolIds"
        legend={labels.ipPool}
        options={pools.map(({ id, name, network }) => ({
          value: id,
          text: `${name}（${network}）`,
        }))}
        empty="还没有 IP 池，请先在 IP 池中新增"
      />
      <Section title="容量与网络">
        <Row>
          <FormNumber
            control={control}
            name="cpuOvercommit"
            label={labels.cpuOvercommit}
            required
            help="1-16，1 为不超售"
          />
          <FormNumber
            control={control}
            name="reservedMemoryMb"
            label={labels.reservedMemory}
            required
            whole
            unit="MB"
          />
          <FormText
            control={control}
            name="bridge"
            label={labels.bridge}
            autoComplete="off"
            help="留空使用代理的默认网络"
          />
        </Row>
      </Section>
    </>
  )
}

const empty: Values = {
  name: '',
  groupIds: [],
  poolIds: [],
  cpuOvercommit: 4,
  reservedMemoryMb: 0,
  bridge: null,
}

const valuesOf = (host: HostView): Values => ({
  name: host.name,
  groupIds: host.groups.map(({ id }) => id),
  poolIds: host.pools.map(({ id }) => id),
  cpuOvercommit: host.cpuOvercommit,
  reservedMemoryMb: host.reservedMemoryMb,
  bridge: host.bridge,
  version: host.version,
})

type Named = { id: string; name: string }
const comparedOf = (groups: { value: string; text: string }[], pools: Named[]): Compared<Values>[] => [
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
