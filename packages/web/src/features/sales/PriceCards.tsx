import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import * as text from '@vps/shared/text'
import styled from 'styled-components'
import { color, font } from '../../theme/tokens'
import { Tag } from '../../ui/Chip'
import { Tiles } from '../../ui/Tiles'
import { planName } from './plan-words'
import { PlanPrice } from './PlanPrice'

export interface PlansProps {
  offers: readonly PriceGroupInFen[]
  chosen: string
  /** Null where all are in the chosen region. */
  placeOf: ((offer: PriceGroupInFen) => string | undefined) | null
  onChoose: (offer: PriceGroupInFen) => void
}

/** For where a table is too wide. */
export function PriceCards({ offers, chosen, placeOf, onChoose }: PlansProps) {
  const now = new Date()
  return (
    <Tiles
      legend={labels.choosePlan}
      bare
      name="price-group"
      minWidth={280}
      value={chosen}
      onChange={(id) => {
        const offer = offers.find((offer) => offer.id === id)
        if (offer) onChoose(offer)
      }}
      tiles={offers.map((offer) => ({
        value: offer.id,
        label: planName(offer, now),
        content: <Offer offer={offer} place={placeOf?.(offer)} now={now} />,
      }))}
    />
  )
}

function Offer({ offer, place, now }: { offer: PriceGroupInFen; place: string | undefined; now: Date }) {
  const { included } = offer
  return (
    <Box>
      <Top>
        <b>{offer.name}</b>
        {place && <small>{place}</small>}
        <Tag $tone={offer.available ? 'success' : 'neutral'}>{offer.available ? states.inStock : states.soldOut}</Tag>
      </Top>
      <span>
        {included.cpuCores} {labels.cores} · {included.memoryGb} GB · {included.storageGb} GB 存储 ·{' '}
        {included.bandwidthMbps} Mbps
      </span>
      {offer.natPorts !== null && <span>{text.sharedIpv4(offer.natPorts)}</span>}
      <PlanPrice offer={offer} now={now} />
    </Box>
  )
}

const Box = styled.div`
  display: grid;
  gap: 2px;

  > span {
    ${font.xs}
    ${font.numbers}
    color: ${color.text2};
  }

  small {
    ${font.xs}
    color: ${color.text3};
  }
`

const Top = styled.div`
  display: flex;
  align-items: baseline;
  gap: 8px;
  ${font.md}

  > :last-child {
    margin-left: auto;
  }
`
