import * as text from '@vps/shared/text'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { errorTable } from '@vps/shared/errors'
import { useState } from 'react'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { resolverOf } from '../../../forms/resolver-of'
import { Alert } from '../../../ui/Alert'
import { useDebounced } from '../../../ui/use-debounced'
import type { Compared } from '../parts/compared'
import { FormArea, FormNumber, FormSelect, FormSwitch, FormText, Row, Section, Bottom } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { searchRestMs } from '../parts/Conditions'
import { MakeFirst } from '../parts/MakeFirst'
import { useGroups } from '../parts/use-groups'
import { DiscountedPrices } from './DiscountedPrices'
import { DiscountDates, DiscountPercentage } from './DiscountTerms'
import {
  emptyValues,
  faultsOf,
  freeRates,
  inputOf,
  priceFields,
  rateFields,
  valuesOf,
  type Values,
} from './price-group-form'
import { SalesPageEditor } from './SalesPageEditor'

/** Adds or edits. */
export default function PriceGroupDialog(props: { group: AdminPriceGroup | null; onClose: () => void }) {
  const { onClose } = props
  const [group, setGroup] = useState(props.group)
  const utils = trpc.useUtils()
  const groups = useGroups().data
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
      title={group ? verbs.editPriceGroup : verbs.createPriceGroup}
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
              fields: comparedFields(groups ?? []),
              read: async () => {
                const latest = await utils.catalogue.priceGroup.fetch({ id: group.id }, { staleTime: 0 })
                // A day that is taken over is sent as its moment.
                setGroup(latest)
                return valuesOf(latest)
              },
            },
          }
        : {})}
      onClose={onClose}
    >
      <Row>
        <FormText
          control={control}
          name="name"
          label={labels.name}
          required
          maxLength={100}
          autoComplete="off"
          {...(taken ? { error: errorTable.NAME_TAKEN.message } : {})}
        />
        <FormSelect
          control={control}
          name="serverGroupId"
          label={labels.serverGroup}
          required
          options={groups}
          empty={<MakeFirst what={labels.serverGroup} href={paths.groups()} />}
        />
      </Row>
      <FormArea control={control} name="description" label={labels.description} rows={2} />
      <Row>
        <FormNumber control={control} name="sortOrder" label={labels.sortOrder} whole help={text.smallFirst} />
        <Bottom>
          <FormSwitch control={control} name="isActive" label={labels.isActive} />
        </Bottom>
      </Row>
      <Terms control={control} />
      <Prices control={control} />
      <Discount control={control} />
      <SalesPageEditor control={control} groupId={group?.id ?? null} />
    </FormDialog>
  )
}

function Terms({ control }: { control: Control<Values> }) {
  return (
    <Section
      title={labels.eachServer}
      note="磁盘限速对新安装、重装或重新定义的服务器生效，0 为不限；快照、备份 0 为不提供；备份需先设置备份存储。"
    >
      <Row $columns={3}>
        <FormNumber control={control} name="snapshots" label={labels.snapshotCount} unit={labels.piecesUnit} whole />
        <FormNumber control={control} name="mostBackups" label={labels.mostBackups} unit={labels.piecesUnit} whole />
        <FormNumber control={control} name="diskIops" label={labels.diskIops} unit="IOPS" whole />
        <FormNumber control={control} name="diskMbPerSecond" label={labels.diskThroughput} unit="MB/s" whole />
      </Row>
    </Section>
  )
}

function Prices({ control }: { control: Control<Values> }) {
  const free = useWatch({ control, compute: freeRates })
  return (
    <>
      <Section title={labels.price}>
        <Row $columns={3}>
          {priceFields.map(([name, label]) => (
            <FormNumber key={name} control={control} name={name} label={label} unit={labels.yuan} />
          ))}
        </Row>
      </Section>
      <Section title="超出部分的单价" note="每月，按计费周期折算；配置超出包含的资源时加收，0 为不加收。">
        <Row $columns={3}>
          {rateFields.map(([name, label, unit]) => (
            <FormNumber key={name} control={control} name={name} label={label} unit={unit} />
          ))}
        </Row>
        {free.length > 0 && <Alert tone="warning">{free.join('、')}不加收：客户可以按套餐的价格选到最大配置。</Alert>}
      </Section>
    </>
  )
}

function Discount({ control }: { control: Control<Values> }) {
  const values = useWatch({ control, compute: (values: Values) => values })
  return (
    <Section title={labels.discount}>
      <FormSwitch control={control} name="hasDiscount" label={verbs.enableDiscount} />
      {values.hasDiscount && (
        <>
          <Row $columns={3}>
            <DiscountPercentage control={control} percentage="discountPercentage" />
            <DiscountDates control={control} from="discountStartTime" until="discountEndTime" />
          </Row>
          <DiscountedPrices prices={values} percentage={values.discountPercentage} />
        </>
      )}
    </Section>
  )
}

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
  const pages = { none: labels.none, html: labels.htmlIntroduction, document: labels.structuredPlan }
  return [
    { name: 'name', label: labels.name },
    { name: 'description', label: labels.description },
    {
      name: 'serverGroupId',
      label: labels.serverGroup,
      show: (id) => groups.find(({ value }) => value === id)?.text ?? '—',
    },
    { name: 'snapshots', label: labels.snapshotCount },
    { name: 'mostBackups', label: labels.mostBackups },
    { name: 'diskIops', label: labels.diskIops },
    { name: 'diskMbPerSecond', label: labels.diskThroughput },
    { name: 'sortOrder', label: labels.sortOrder },
    { name: 'isActive', label: labels.isActive },
    ...priceFields.map(([name, label]) => ({ name, label: `${label}价格` })),
    ...rateFields.map(([name, label]) => ({ name, label: `${label}单价` })),
    { name: 'hasDiscount', label: verbs.enableDiscount },
    { name: 'discountPercentage', label: labels.discountPercentage },
    { name: 'discountStartTime', label: labels.startDate },
    { name: 'discountEndTime', label: labels.endDate },
    { name: 'page', label: labels.salesPageKind, show: (page) => pages[page] },
    { name: 'html', label: labels.htmlContent, show: (html) => `${String(html).slice(0, 60)}…` },
    { name: 'document', label: labels.structuredPlan, show: (document) => JSON.stringify(document) },
  ]
}
