import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import type { Control, FieldValues, Path } from 'react-hook-form'
import { FormDate, FormNumber } from '../parts/fields'
import { tomorrow } from './price-group-form'

type Props<V extends FieldValues> = { control: Control<V>; percentage: Path<V> }

/** How much less. */
export function DiscountPercentage<V extends FieldValues>({ control, percentage }: Props<V>) {
  return <FormNumber control={control} name={percentage} label={labels.discountPercentage} required optional unit="%" />
}

/** Both may be empty. */
export function DiscountDates<V extends FieldValues>(props: { control: Control<V>; from: Path<V>; until: Path<V> }) {
  const date = { control: props.control, min: tomorrow() }
  return (
    <>
      <FormDate {...date} name={props.from} label={labels.startDate} help={text.startsAtOnce} />
      <FormDate {...date} name={props.until} label={labels.endDate} help={text.neverEnds} />
    </>
  )
}
