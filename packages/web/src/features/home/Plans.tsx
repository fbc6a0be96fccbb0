import * as labels from '@vps/shared/labels'
import { formatYuan } from '@vps/shared/money'
import { plansLead } from '@vps/shared/opening'
import { periodNames } from '@vps/shared/periods'
import { includedText, type Plan } from '@vps/shared/plans'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import styled from 'styled-components'
import { paths } from '../../paths'
import { color, font, media, radius } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { Tag } from '../../ui/Chip'
import { heardOnly } from '../../ui/heard-only'
import { Lead, Section } from './look'

const shownPlans = 10

/** Each plan leads to the shop. */
export function Plans({ plans }: { plans: Plan[] }) {
  return (
    <Section aria-labelledby="plans">
      <h2 id="plans">{labels.planPrices}</h2>
      <Lead>{plansLead}</Lead>
      <Frame>
        <Grid aria-labelledby="plans">
          <thead>
            <tr>
              <th scope="col">{labels.plan}</th>
              <Desk as="th" scope="col">
                {labels.priceIncludes}
              </Desk>
              <Desk as="th" scope="col" data-align="right">
                {periodNames.HOURLY}
              </Desk>
              <th scope="col" data-align="right">
                {periodNames.MONTHLY}
              </th>
              <Desk as="th" scope="col">
                {labels.status}
              </Desk>
              <th scope="col">
                <Heard>{labels.actions}</Heard>
              </th>
            </tr>
          </thead>
          <tbody>
            {plans.slice(0, shownPlans).map((plan) => (
              <Row key={plan.id} plan={plan} />
            ))}
          </tbody>
        </Grid>
      </Frame>
      {plans.length > shownPlans && (
        <More>
          <ButtonLink href={paths.sales()}>{`全部 ${plans.length} 个套餐`}</ButtonLink>
        </More>
      )}
    </Section>
  )
}

function Row({ plan: { id, name, groupId, place, included, prices, available } }: { plan: Plan }) {
  const [hour, month] = [prices.HOURLY, prices.MONTHLY]
  return (
    <tr>
      <th scope="row">
        {name}
        <small>{place}</small>
        <PhoneLine>{includedText(included)}</PhoneLine>
      </th>
      <Desk>{includedText(included)}</Desk>
      <Desk data-align="right">{hour === undefined ? '—' : formatYuan(hour)}</Desk>
      <td data-align="right">
        <b>{month === undefined ? '—' : formatYuan(month)}</b>
        {!available && <PhoneLine>{states.soldOut}</PhoneLine>}
      </td>
      <Desk>
        <Tag $tone={available ? 'success' : 'neutral'}>{available ? states.inStock : states.soldOut}</Tag>
      </Desk>
      <td data-align="right">
        <ButtonLink href={paths.sales(groupId, id)} aria-label={`${verbs.choose} ${name}`}>
          {verbs.choose}
        </ButtonLink>
      </td>
    </tr>
  )
}

const Frame = styled.div`
  margin-top: 36px;
  border: 1px solid ${color.line};
  border-radius: ${radius.dialog};
  background: ${color.page};
  overflow: hidden;

  ${media.phone} {
    margin-top: 24px;
  }
`

/** As in the page before its script (`plain.css`). */
const Grid = styled.table`
  width: 100%;
  table-layout: fixed;
  border-collapse: collapse;
  overflow-wrap: anywhere;
  ${font.sm}
  ${font.numbers}

  th,
  td {
    padding: 12px 20px;
    text-align: left;

    ${media.phone} {
      padding: 12px;
    }
  }

  [data-align='right'] {
    text-align: right;
    white-space: nowrap;
  }

  thead {
    background: ${color.surface};
    color: ${color.text2};
  }

  ${media.wide} {
    thead th:nth-child(1) {
      width: 20%;
    }

    thead th:nth-child(2) {
      width: 37%;
    }

    thead th:nth-child(3) {
      width: 11%;
    }

    thead th:nth-child(4) {
      width: 12%;
    }
  }

  ${media.narrow} {
    thead th:nth-child(4) {
      width: 120px;
    }

    thead th:nth-child(6) {
      width: 100px;
    }
  }

  ${media.phone} {
    thead th:nth-child(4) {
      width: 104px;
    }

    thead th:nth-child(6) {
      width: 84px;
    }
  }

  tbody tr {
    border-top: 1px solid ${color.line};
  }

  tbody th small {
    display: block;
    ${font.xs}
    font-weight: 400;
    color: ${color.text3};
  }

  td > b {
    ${font.md}
    ${font.strong}
    color: ${color.primary.text};
  }
`

const Desk = styled.td`
  ${media.narrow} {
    display: none;
  }
`

const PhoneLine = styled.span`
  display: none;
  ${font.xs}
  font-weight: 400;
  color: ${color.text2};

  ${media.narrow} {
    display: block;
  }
`

const Heard = styled.span`
  ${heardOnly}
`

const More = styled.p`
  margin-top: 20px;
  text-align: center;
`
