import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { useState } from 'react'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { resolverOf } from '../../../forms/resolver-of'
import { Alert } from '../../../ui/Alert'
import type { Compared } from '../parts/compared'
import { Row } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { DiscountedPrices } from './DiscountedPrices'
import { DiscountDates, DiscountPercentage } from './DiscountTerms'
import { type Values, inputOf, faultsOf, termsOf } from './discount-form'

/** The six prices stay as stored. */
export default function DiscountDialog(props: { group: AdminPriceGroup; onClose: () => void }) {
  const { onClose } = props
  const [group, setGroup] = useState(props.group)
  const utils = trpc.useUtils()
  const apply = trpc.catalogue.applyDiscount.useMutation()
  const form = useForm<Values>({
    defaultValues: termsOf(group),
    resolver: resolverOf((values) => faultsOf(group, values, new Date())),
  })
  const { control } = form

  return (
    <FormDialog
      title={`应用折扣 · ${group.name}`}
      form={form}
      saveLabel={verbs.applyDiscount}
      saved="折扣已应用"
      failed="应用折扣失败"
      save={async (values) => {
        await apply.mutateAsync(inputOf(group, values))
        await utils.catalogue.invalidate()
      }}
      newer={{
        fields: compared,
        read: async () => {
          const latest = await utils.catalogue.priceGroup.fetch({ id: group.id }, { staleTime: 0 })
          // Prices may be others, too.
          setGroup(latest)
          return termsOf(latest)
        },
      }}
      onClose={onClose}
    >
      <DiscountPercentage control={control} percentage="discountPercentage" />
      <Row>
        <DiscountDates control={control} from="startTime" until="endTime" />
      </Row>
      <Preview group={group} control={control} />
      <Alert tone="info">折扣作用于新订单和续费的全部金额，原价不会被改动，可随时恢复。</Alert>
    </FormDialog>
  )
}

const compared: Compared<Values>[] = [
  { name: 'discountPercentage', label: labels.discountPercentage },
  { name: 'startTime', label: labels.startDate },
  { name: 'endTime', label: labels.endDate },
]

function Preview({ group, control }: { group: AdminPriceGroup; control: Control<Values> }) {
  const percentage = useWatch({ control, name: 'discountPercentage' })
  return <DiscountedPrices prices={group} percentage={percentage} />
}
