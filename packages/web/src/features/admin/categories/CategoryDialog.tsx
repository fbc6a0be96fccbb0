import * as text from '@vps/shared/text'
import * as labels from '@vps/shared/labels'
import { categoryInput } from '@vps/shared/catalogue.contract'
import { useForm } from 'react-hook-form'
import { trpc, type Inputs } from '../../../api/trpc'
import type { Compared } from '../parts/compared'
import { contractFaults } from '../../../forms/contract-faults'
import { resolverOf } from '../../../forms/resolver-of'
import { FormArea, FormNumber, FormSwitch, FormText } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import type { AdminCategory } from '../parts/rows'

type Values = Inputs['catalogue']['createCategory']

const resolver = resolverOf<Values>((values) => contractFaults(categoryInput, values))
const fields: Compared<Values>[] = [
  { name: 'name', label: labels.name },
  { name: 'description', label: labels.description },
  { name: 'sortOrder', label: labels.sortOrder },
  { name: 'isActive', label: labels.isActive },
]

/** Adds or edits. */
export default function CategoryDialog({ category, onClose }: { category: AdminCategory | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const create = trpc.catalogue.createCategory.useMutation()
  const update = trpc.catalogue.updateCategory.useMutation()
  const form = useForm<Values>({
    defaultValues: category ? valuesOf(category) : { name: '', description: '', sortOrder: 0, isActive: true },
    resolver,
  })
  const { control } = form

  return (
    <FormDialog
      title={category ? '编辑服务器分类' : '新增服务器分类'}
      form={form}
      saved={category ? '服务器分类已更新' : '服务器分类已创建'}
      failed={category ? '更新服务器分类失败' : '创建服务器分类失败'}
      save={async (values) => {
        if (category) await update.mutateAsync({ ...values, id: category.id })
        else await create.mutateAsync(values)
        await utils.catalogue.invalidate()
      }}
      {...(category ? { newer: { fields, read: () => readLatest(category.id) } } : {})}
      onClose={onClose}
    >
      <FormText control={control} name="name" label={labels.name} required maxLength={100} autoComplete="off" />
      <FormArea control={control} name="description" label={labels.description} rows={3} />
      <FormNumber control={control} name="sortOrder" label={labels.sortOrder} whole help={text.smallFirst} />
      <FormSwitch control={control} name="isActive" label={labels.isActive} />
    </FormDialog>
  )

  async function readLatest(id: string): Promise<Values> {
    const { content } = await utils.catalogue.categories.fetch({ page: 0, size: 1000 }, { staleTime: 0 })
    const latest = content.find((candidate) => candidate.id === id)
    if (!latest) throw new Error('the category is gone')
    return valuesOf(latest)
  }
}

const valuesOf = ({ name, description, sortOrder, isActive, version }: AdminCategory): Values => ({
  name,
  description: description ?? '',
  sortOrder,
  isActive,
  version,
})
