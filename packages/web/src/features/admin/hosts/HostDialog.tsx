import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { HostView } from '@vps/shared/hosts.contract'
import { useForm } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { resolverOf } from '../../../forms/resolver-of'
import { FormNumber, FormText, Row, Section } from '../parts/fields'
import { FormChecks } from '../parts/FormChecks'
import { FormDialog } from '../parts/FormDialog'
import { MakeFirst } from '../parts/MakeFirst'
import { useGroups } from '../parts/use-groups'
import { rereadOperations } from '../parts/reread'
import type { Enrolment } from '../parts/rows'
import type { Control } from 'react-hook-form'
import type { PoolView } from '@vps/shared/pools.contract'
import { type Values, empty, valuesOf, faultsOf, comparedOf } from './host-form'

const resolver = resolverOf(faultsOf)

/** Capacity is the agent's to report. */
export default function HostDialog({
  host,
  onEnrol,
  onClose,
}: {
  host: HostView | null
  onEnrol: (enrolment: Enrolment, name: string) => void
  onClose: () => void
}) {
  const utils = trpc.useUtils()
  const groups = useGroups()
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
              fields: comparedOf(groups.data ?? [], pools.data?.content ?? []),
              read: async () => valuesOf(await utils.hosts.get.fetch({ id: host.id }, { staleTime: 0 })),
            },
          }
        : {})}
      onClose={onClose}
    >
      <HostFields control={form.control} groups={groups} pools={pools} />
    </FormDialog>
  )
}

interface HostFieldsProps {
  control: Control<Values>
  groups: ReturnType<typeof useGroups>
  pools: { data: { content: PoolView[] } | undefined; isError: boolean }
}

function HostFields({ control, groups, pools }: HostFieldsProps) {
  const options = pools.data?.content.map(({ id, name, network }) => ({ value: id, text: `${name}（${network}）` }))
  return (
    <>
      <FormText control={control} name="name" exact label={labels.name} required maxLength={100} autoComplete="off" />
      <FormChecks
        control={control}
        name="groupIds"
        legend={labels.serverGroup}
        read={groups}
        empty={<MakeFirst what={labels.serverGroup} href={paths.groups()} />}
      />
      <FormChecks
        control={control}
        name="poolIds"
        legend={labels.ipPool}
        read={{ data: options, isError: pools.isError }}
        empty={<MakeFirst what={labels.ipPool} href={paths.ipPools()} />}
      />
      <Section title="容量与网络">
        <Row>
          <FormNumber control={control} name="cpuOvercommit" label={labels.cpuOvercommit} help="1-16，1 为不超售" />
          <FormNumber control={control} name="reservedMemoryMb" label={labels.reservedMemory} whole unit="MB" />
          <FormText
            control={control}
            name="bridge"
            exact
            label={labels.bridge}
            autoComplete="off"
            help="留空使用代理的默认网络"
          />
        </Row>
      </Section>
    </>
  )
}
