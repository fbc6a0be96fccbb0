import * as text from '@vps/shared/text'
import * as labels from '@vps/shared/labels'
import { groupInput } from '@vps/shared/catalogue.contract'
import { useForm } from 'react-hook-form'
import { trpc, type Inputs } from '../../../api/trpc'
import type { Compared } from '../parts/compared'
import { contractFaults } from '../../../forms/contract-faults'
import { resolverOf } from '../../../forms/resolver-of'
import { FormArea, FormNumber, FormSelect, FormSwitch, FormText, Row } from '../parts/fields'
import type { Option } from '../../../ui/Select'
import { FormDialog } from '../parts/FormDialog'
import { MakeFirst } from '../parts/MakeFirst'
import { paths } from '../../../paths'
import { placementNames, placementStrategies } from '@vps/shared/catalogue'
import type { AdminGroup } from '../parts/rows'

type Values = Inputs['catalogue']['createGroup']

const resolver = resolverOf<Values>((values) => contractFaults(groupInput, values))
const empty: Values = {
  categoryId: '',
  name: '',
  description: '',
  region: '',
  country: '',
  city: '',
  placement: 'spread',
  cpuModel: '',
  sortOrder: 0,
  isActive: true,
}

/** Adds or edits. */
export default function GroupDialog({ group, onClose }: { group: AdminGroup | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const categories = trpc.catalogue.categories.useQuery({ page: 0, size: 1000 })
  const create = trpc.catalogue.createGroup.useMutation()
  const update = trpc.catalogue.updateGroup.useMutation()
  const form = useForm<Values>({ defaultValues: group ? valuesOf(group) : empty, resolver })
  const { control } = form
  const choices = categories.data?.content.map(({ id, name }) => ({ value: id, text: name }))

  return (
    <FormDialog
      title={group ? '编辑服务器分组' : '新增服务器分组'}
      form={form}
      saved={group ? '服务器分组已更新' : '服务器分组已创建'}
      failed={group ? '更新服务器分组失败' : '创建服务器分组失败'}
      save={async (values) => {
        if (group) await update.mutateAsync({ ...values, id: group.id })
        else await create.mutateAsync(values)
        await utils.catalogue.invalidate()
      }}
      {...(group
        ? {
            newer: {
              fields: comparedFields(choices),
              read: async () => valuesOf(await utils.catalogue.group.fetch({ id: group.id }, { staleTime: 0 })),
            },
          }
        : {})}
      onClose={onClose}
    >
      <FormSelect
        control={control}
        name="categoryId"
        label={labels.parentCategory}
        required
        options={choices}
        empty={<MakeFirst what={labels.serverCategory} href={paths.categories()} />}
      />
      <FormText control={control} name="name" label={labels.name} required maxLength={100} autoComplete="off" />
      <FormArea control={control} name="description" label={labels.description} rows={2} />
      <Row $columns={3}>
        <FormText control={control} name="region" label={labels.region} maxLength={100} autoComplete="off" />
        <FormText control={control} name="country" label={labels.country} maxLength={100} autoComplete="off" />
        <FormText control={control} name="city" label={labels.city} maxLength={100} autoComplete="off" />
      </Row>
      <FormSelect
        control={control}
        name="placement"
        label={labels.placementPolicy}
        options={placementStrategies.map((value) => ({ value, text: placementNames[value] }))}
      />
      <FormText
        control={control}
        name="cpuModel"
        label={labels.cpuModel}
        maxLength={60}
        autoComplete="off"
        placeholder="EPYC-Rome"
        help="libvirt 的 CPU 型号，须为组内每台宿主机所支持；留空则用宿主机自己的 CPU"
      />
      <FormNumber control={control} name="sortOrder" label={labels.sortOrder} whole help={text.smallFirst} />
      <FormSwitch control={control} name="isActive" label={labels.isActive} />
    </FormDialog>
  )
}

const valuesOf = (group: AdminGroup): Values => ({
  categoryId: group.categoryId,
  name: group.name,
  description: group.description ?? '',
  region: group.region ?? '',
  country: group.country ?? '',
  city: group.city ?? '',
  placement: group.placement,
  cpuModel: group.cpuModel ?? '',
  sortOrder: group.sortOrder,
  isActive: group.isActive,
  version: group.version,
})

const comparedFields = (choices: Option[] | undefined): Compared<Values>[] => [
  {
    name: 'categoryId',
    label: labels.parentCategory,
    show: (id) => choices?.find(({ value }) => value === id)?.text ?? String(id),
  },
  { name: 'name', label: labels.name },
  { name: 'description', label: labels.description },
  { name: 'region', label: labels.region },
  { name: 'country', label: labels.country },
  { name: 'city', label: labels.city },
  {
    name: 'placement',
    label: labels.placementPolicy,
    show: (value) => (value ? placementNames[value] : labels.nothing),
  },
  { name: 'cpuModel', label: labels.cpuModel },
  { name: 'sortOrder', label: labels.sortOrder },
  { name: 'isActive', label: labels.isActive },
]
