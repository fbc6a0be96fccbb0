import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import styled from 'styled-components'
import { color, font, motion } from '../../theme/tokens'
import { Tag } from '../../ui/Chip'
import { planName } from './plan-words'
import { PlanPrice } from './PlanPrice'
import type { PlansProps } from './PriceCards'

/** A row is chosen wherever it is pressed. */
export function PlanTable({ offers, chosen, placeOf, onChoose }: PlansProps) {
  const now = new Date()
  return (
    <fieldset aria-label={labels.choosePlan}>
      <Table aria-label={labels.choosePlan}>
        <thead>
          <tr>
            <th>{labels.plan}</th>
            <th>CPU</th>
            <th>{labels.memory}</th>
            <th>{labels.storage}</th>
            <th>{labels.bandwidth}</th>
            <th>{labels.price}</th>
            <th>库存</th>
          </tr>
        </thead>
        <tbody>
          {offers.map((offer) => (
            // A label stretched over the row would cover the page in WebKit, which gives no row a position.
            <tr key={offer.id} onClick={() => (offer.id === chosen ? undefined : onChoose(offer))}>
              <th scope="row">
                <label>
                  <input
                    type="radio"
                    name="price-group"
                    aria-label={planName(offer, now)}
                    checked={offer.id === chosen}
                    onChange={() => onChoose(offer)}
                  />
                  {offer.name}
                </label>
                <small>{placeOf?.(offer) ?? offer.description}</small>
              </th>
              <td>
                {offer.included.cpuCores} {labels.cores}
              </td>
              <td>{offer.included.memoryGb} GB</td>
              <td>{offer.included.storageGb} GB</td>
              <td>{offer.included.bandwidthMbps} Mbps</td>
              <td>
                <PlanPrice offer={offer} now={now} />
              </td>
              <td>
                <Tag $tone={offer.available ? 'success' : 'neutral'}>
                  {offer.available ? states.inStock : states.soldOut}
                </Tag>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </fieldset>
  )
}

const Table = styled.table`
  ${font.sm}
  ${font.numbers}
  width: 100%;
  border-collapse: collapse;

  th,
  td {
    padding: 12px 8px;
    text-align: start;
    font-weight: 400;
    border-bottom: 1px solid ${color.line};
  }

  td {
    white-space: nowrap;
    color: ${color.text2};
  }

  thead th {
    padding-block: 8px;
    ${font.xs}
    color: ${color.text3};
  }

  tbody tr {
    cursor: pointer;
    transition: background-color ${motion.state};
  }

  tbody th {
    ${font.strong}
    position: relative;
    padding-left: 36px;
  }

  th small {
    display: block;
    ${font.xs}
    font-weight: 400;
    color: ${color.text3};
  }

  /* The price may break into its parts. */
  td:nth-child(6) {
    white-space: normal;
  }

  input {
    position: absolute;
    left: 10px;
    top: calc(50% - 8px);
    width: 16px;
    height: 16px;
    margin: 0;
    accent-color: ${color.primary.fill};
  }

  tbody tr:hover {
    background: ${color.surface};
  }

  tbody tr:has(:checked) {
    background: ${color.primary.tint};
    box-shadow: inset 2px 0 0 ${color.primary.brand};
  }

  tbody tr:has(:focus-visible) {
    outline: 2px solid ${color.focus};
    outline-offset: -2px;
  }
`
