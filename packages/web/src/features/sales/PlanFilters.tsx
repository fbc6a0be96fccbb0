import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import * as labels from '@vps/shared/labels'
import styled from 'styled-components'
import { media } from '../../theme/tokens'
import { options, Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import type { PlanFilter } from './plan-words'

export const everywhere = 'everywhere'

/** Which plans of a category are compared. */
export function PlanFilters({
  offers,
  groups,
  region,
  filter,
  onRegion,
  onFilter,
}: {
  offers: readonly PriceGroupInFen[]
  groups: readonly { id: string; name: string }[]
  region: string
  filter: PlanFilter
  onRegion: (region: string) => void
  onFilter: (filter: PlanFilter) => void
}) {
  const amounts = (of: (offer: PriceGroupInFen) => number) => [...new Set(offers.map(of))].sort((a, b) => a - b)
  const atLeast = (values: number[], unit: string) =>
    options([['0', labels.unlimited], ...values.map((value) => [String(value), `${value} ${unit}起`] as const)])
  return (
    <Row>
      <Select
        label={labels.place}
        value={region}
        options={options([...groups.map(({ id, name }) => [id, name] as const), [everywhere, '全部地区']])}
        onChange={onRegion}
      />
      <Select
        label="至少 CPU"
        value={String(filter.cores)}
        options={atLeast(
          amounts(({ included }) => included.cpuCores),
          labels.cores,
        )}
        onChange={(cores) => onFilter({ ...filter, cores: Number(cores) })}
      />
      <Select
        label={`至少${labels.memory}`}
        value={String(filter.memoryGb)}
        options={atLeast(
          amounts(({ included }) => included.memoryGb),
          'GB',
        )}
        onChange={(memoryGb) => onFilter({ ...filter, memoryGb: Number(memoryGb) })}
      />
      <Switch
        label="只看有货"
        checked={filter.inStock}
        onChange={(event) => onFilter({ ...filter, inStock: event.target.checked })}
      />
    </Row>
  )
}

const Row = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(120px, 1fr));
  align-items: end;
  gap: 12px;
  margin-bottom: 12px;

  > label:last-child {
    min-height: 36px;
  }

  ${media.phone} {
    > label:last-child {
      min-height: 44px;
    }
  }
`
