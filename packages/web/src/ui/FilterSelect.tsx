import * as labels from '@vps/shared/labels'
import { options, Select } from './Select'
import { isOneOf } from './address-filters'

interface FilterSelectProps<Value extends string> {
  label: string
  all: string
  values: readonly Value[]
  word: (value: Value) => string
  value: string
  onChange: (value: string) => void
  bare?: boolean
}

/** One of the server's values, or all. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { all, values, word, value, ...select } = props
  return (
    <Select
      {...select}
      value={isOneOf(values, value) ? value : ''}
      options={options([['', all], ...values.map((value) => [value, word(value)] as const)])}
    />
  )
}

/** By state, over a list. */
export function StatusFilter<Value extends string>(
  props: Pick<FilterSelectProps<Value>, 'values' | 'word' | 'value' | 'onChange'>,
) {
  return <FilterSelect label={labels.status} bare all={labels.allStatuses} {...props} />
}
