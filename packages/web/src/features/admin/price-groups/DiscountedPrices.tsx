import { isYuan, percentOff, yuan } from '@vps/shared/money'
import styled from 'styled-components'
import { color, font, media, radius } from '../../../theme/tokens'
import { Money } from '../../../ui/Money'
import { priceFields } from './price-group-form'

type Prices = Record<(typeof priceFields)[number][0], number>

/** Only those filled in. */
export function DiscountedPrices({ prices, percentage }: { prices: Prices; percentage: number | null }) {
  if (typeof percentage !== 'number' || !(percentage > 0 && percentage <= 100)) return null
  const known = priceFields.filter(([name]) => isAmount(prices[name]))
  if (known.length === 0) return null
  return (
    <List aria-label="折后价格">
      {known.map(([name, label]) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            <Money yuan={yuan.encode(percentOff(yuan.decode(prices[name]), percentage))} />
            <s>
              <Money yuan={prices[name]} />
            </s>
          </dd>
        </div>
      ))}
    </List>
  )
}

const isAmount = (typed: unknown) => typeof typed === 'number' && typed > 0 && typed <= 100_000_000 && isYuan(typed)

const List = styled.dl`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 8px 16px;
  padding: 12px 16px;
  border-radius: ${radius.card};
  background: ${color.surface};

  dt {
    ${font.xs}
    color: ${color.text2};
  }

  dd {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 8px;
  }

  s {
    ${font.xs}
    color: ${color.text3};
  }

  ${media.phone} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`
