import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import { discountActive } from '@vps/shared/catalogue'
import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { yuan } from '@vps/shared/money'
import { periodOffers } from '@vps/shared/pricing'
import styled from 'styled-components'
import { color, font } from '../../theme/tokens'
import { Tag } from '../../ui/Chip'
import { Money } from '../../ui/Money'
import { Tiles } from '../../ui/Tiles'

const perPeriod = { HOURLY: '小时', DAILY: '天', MONTHLY: '月', QUARTERLY: '季', SEMI_ANNUAL: '半年', ANNUAL: '年' }

/** The price groups of a region as radio cards. */
export function PriceCards({
  offers,
  chosen,
  onChoose,
}: {
  offers: PriceGroupInFen[]
  chosen: string
  onChoose: (offer: PriceGroupInFen) => void
}) {
  const now = new Date()
  return (
    <Tiles
      legend="选择套餐"
      bare
      name="price-group"
      minWidth={230}
      value={chosen}
      onChange={(id) => {
        const offer = offers.find((offer) => offer.id === id)
        if (offer) onChoose(offer)
      }}
      tiles={offers.map((offer) => ({
        value: offer.id,
        label: offer.name,
        content: <Offer offer={offer} now={now} />,
      }))}
    />
  )
}

function Offer({ offer, now }: { offer: PriceGroupInFen; now: Date }) {
  const { included } = offer
  const prices = periodOffers(offer, included, now)
  const shown = prices.find(({ period }) => period === 'MONTHLY') ?? prices[0]
  return (
    <Box>
      <Top>
        <b>{offer.name}</b>
        <Tag $tone={offer.available ? 'success' : 'neutral'}>{offer.available ? states.inStock : states.soldOut}</Tag>
      </Top>
      {offer.description && <small>{offer.description}</small>}
      <Spec>
        <li>
          <b>{included.cpuCores}</b> {labels.cores}
        </li>
        <li>
          <b>{included.memoryGb}</b> GB 内存
        </li>
        <li>
          <b>{included.storageGb}</b> GB 存储
        </li>
        <li>
          <b>{included.bandwidthMbps}</b> Mbps
        </li>
      </Spec>
      {shown && (
        <Price>
          <strong>
            <Money yuan={yuan.encode(shown.price)} />
          </strong>
          <small>/ {perPeriod[shown.period]}</small>
          {discountActive(offer, now) && (
            <>
              <s>
                <Money yuan={yuan.encode(shown.originalPrice)} />
              </s>
              <Tag $tone="error">
                {labels.discountedBy} {offer.discountPercentage}%
              </Tag>
            </>
          )}
        </Price>
      )}
    </Box>
  )
}

const Box = styled.div`
  display: flex;
  flex-direction: column;
  gap: 8px;
  height: 100%;

  small {
    ${font.xs}
    color: ${color.text3};
  }
`

const Top = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 8px;
  ${font.md}
`

const Spec = styled.ul`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 2px 12px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text2};

  b {
    color: ${color.text};
  }
`

const Price = styled.div`
  display: flex;
  align-items: baseline;
  flex-wrap: wrap;
  gap: 2px 8px;
  margin-top: auto;
  padding-top: 4px;

  strong {
    ${font.xl}
    color: ${color.primary.text};
  }

  s {
    ${font.xs}
    color: ${color.text3};
  }
`
