import type { AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { errorTable } from '@vps/shared/errors'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { resolverOf } from '../../../forms/resolver-of'
import { useDebounced } from '../../../ui/use-debounced'
import type { Compared } from '../parts/Conflict'
import { FormArea, FormNumber, FormSelect, FormSwitch, FormText, Row, Section, Bottom } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { searchRestMs } from '../parts/Conditions'
import { useGroupOptions } from '../parts/use-groups'
import { DiscountedPrices } from './DiscountedPrices'
import {
  emptyValues,
  faultsOf,
  inputOf,
  priceFields,
  rateFields,
  tomorrow,
  valuesOf,
  type Values,
} from './price-group-form'
import { SalesPageEditor } from './SalesPageEditor'

/** Adds a price group, or edits one. */
export default function PriceGroupDialog({ group, onClose }: { group: AdminPriceGroup | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const groups = useGroupOptions()
  const create = trpc.catalogue.createPriceGroup.useMutation()
  const update = trpc.catalogue.updatePriceGroup.useMutation()
  const form = useForm<Values>({
    defaultValues: group ? valuesOf(group) : emptyValues(),
    resolver: resolverOf((values) => faultsOf(values, group, new Date())),
  })
  const { control } = form
  const taken = useNameTaken(control, group)

  return (
    <FormDialog
      title={group ? '编辑价格组' : '新增价格组'}
      width={720}
      form={form}
      ready={!taken}
      saved={group ? '价格组已更新' : '价格组已创建'}
      failed={group ? '更新价格组失败' : '创建价格组失败'}
      save={async (values) => {
        const input = inputOf(values, group)
        if (group) await update.mutateAsync({ ...input, id: group.id })
        else await create.mutateAsync(input)
        await utils.catalogue.invalidate()
      }}
      {...(group
        ? {
            newer: {
              fields: comparedFields(groups),
              read: async () => valuesOf(await utils.catalogue.priceGroup.fetch({ id: group.id }, { staleTime: 0 })),
            },
          }
        : {})}
      onClose={onClose}
    >
      <Row>
        <FormText
          control={control}
          name="name"
          label="名称"
          required
          maxLength={100}
          autoComplete="off"
          {...(taken ? { error: errorTable.NAME_TAKEN.message } : {})}
        />
        <FormSelect control={control} name="serverGroupId" label="服务器分组" required options={groups} />
      </Row>
      <FormArea control={control} name="description" label="描述" rows={2} />
      <Row>
        <FormNumber control={control} name="sortOrder" label="排序" whole help="数字小的排在前面" />
        <Bottom>
          <FormSwitch control={control} name="isActive" label="启用" />
        </Bottom>
      </Row>
      <Section title="价格">
        <Row $columns={3}>
          {priceFields.map(([name, label]) => (
            <FormNumber key={name} control={control} name={name} label={label} unit="元" required />
          ))}
        </Row>
      </Section>
      <Section title="超出部分的单价" note="每月，按计费周期折算；配置超出包含的资源时加收，0 为不加收。">
        <Row $columns={3}>
          {rateFields.map(([name, label, unit]) => (
            <FormNumber key={name} control={control} name={name} label={label} unit={unit} required />
          ))}
        </Row>
      </Section>
      <Discount control={control} />
      <SalesPageEditor control={control} />
    </FormDialog>
  )
}

function Discount({ control }: { control: Control<Values> }) {
  const values = useWatch({ control }) as Values
  return (
    <Section title="折扣">
      <FormSwitch control={control} name="hasDiscount" label="启用折扣" />
      {values.hasDiscount && (
        <>
          <Row $columns={3}>
            <FormNumber control={control} name="discountPercentage" label="折扣百分比" required optional unit="%" />
            <FormText
              control={control}
              name="discountStartTime"
              label="开始日期"
              type="date"
              min={tomorrow()}
              help="留空立即生效"
            />
            <FormText
              control={control}
              name="discountEndTime"
              label="结束日期"
              type="date"
              min={tomorrow()}
              help="留空长期有效"
            />
          </Row>
          <DiscountedPrices prices={values} percentage={values.discountPercentage} />
        </>
      )}
    </Section>
  )
}

/** Whether another price group has the name, asked while it is typed. */
function useNameTaken(control: Control<Values>, group: AdminPriceGroup | null): boolean {
  const typed = useWatch({ control, name: 'name' }).trim()
  const name = useDebounced(typed, searchRestMs)
  const check = trpc.catalogue.priceGroupName.useQuery(
    { name: name.slice(0, 100), ...(group ? { excludeId: group.id } : {}) },
    { enabled: name !== '' && name !== group?.name },
  )
  return name === typed && check.data?.exists === true && name !== '' && name !== group?.name
}

function comparedFields(groups: { value: string; text: string }[]): Compared<Values>[] {
  const pages = { none: '无', html: 'HTML 介绍', document: '结构化配置' }
  return [
    { name: 'name', label: '名称' },
    { name: 'description', label: '描述' },
    { name: 'serverGroupId', label: '服务器分组', show: (id) => groups.find(({ value }) => value === id)?.text ?? '—' },
    { name: 'sortOrder', label: '排序' },
    { name: 'isActive', label: '启用' },
    ...priceFields.map(([name, label]) => ({ name, label: `${label}价格` })),
    ...rateFields.map(([name, label]) => ({ name, label: `${label}单价` })),
    { name: 'hasDiscount', label: '启用折扣' },
    { name: 'discountPercentage', label: '折扣百分比' },
    { name: 'discountStartTime', label: '开始日期' },
    { name: 'discountEndTime', label: '结束日期' },
    { name: 'page', label: '销售页类型', show: (page) => pages[page as Values['page']] },
    { name: 'html', label: 'HTML 内容', show: (html) => `${String(html).slice(0, 60)}…` },
    { name: 'document', label: '结构化配置', show: (document) => JSON.stringify(document) },
  ]
}
