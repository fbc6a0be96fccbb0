import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { discountActive } from '@vps/shared/catalogue'
import * as labels from '@vps/shared/labels'
import { yuan } from '@vps/shared/money'
import styled from 'styled-components'
import { color, font } from '../../theme/tokens'
import { Tag } from '../../ui/Chip'
import { Money } from '../../ui/Money'
import { perPeriod, shownPrices } from './plan-words'

/** With the hour, and what a discount takes off. */
export function PlanPrice({ offer, now }: { offer: PriceGroupInFen; now: Date }) {
  const { main, hour } = shownPrices(offer, now)
  if (!main) return <small>暂未定价</small>
  return (
    <Price>
      <span>
        <strong>
          <Money yuan={yuan.encode(main.price)} />
        </strong>{' '}
        / {perPeriod[main.period]}
      </span>
      {discountActive(offer, now) && (
        <span>
          <s>
            <Money yuan={yuan.encode(main.originalPrice)} />
          </s>{' '}
          <Tag $tone="error">
            {labels.discountedBy} {offer.discountPercentage}%
          </Tag>
        </span>
      )}
      {hour && (
        <span>
          <Money yuan={yuan.encode(hour.price)} /> / {perPeriod.HOURLY}
        </span>
      )}
    </Price>
  )
}

const Price = styled.span`
  display: inline-flex;
  align-items: baseline;
  flex-wrap: wrap;
  gap: 0 12px;
  ${font.xs}
  color: ${color.text3};

  > span {
    white-space: nowrap;
  }

  strong {
    ${font.lg}
    color: ${color.primary.text};
  }
`
