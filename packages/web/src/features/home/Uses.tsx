import { formatYuan } from '@vps/shared/money'
import { cheapest, includedText, type Plan } from '@vps/shared/plans'
import { Link } from 'wouter'
import styled from 'styled-components'
import { paths } from '../../paths'
import { color, font, radius } from '../../theme/tokens'
import { uses } from './content'
import { Cards, Lead, Section } from './look'

/** The cheapest plan that fits each use today. */
export function Uses({ plans }: { plans: Plan[] }) {
  const fitting = uses.flatMap((use) => {
    const plan = cheapest(plans, 'MONTHLY', use.least)
    return plan ? [{ ...use, plan }] : []
  })
  if (fitting.length === 0) return null
  return (
    <Section aria-labelledby="uses">
      <h2 id="uses">按用途选择</h2>
      <Lead>每种用途所需的配置，以及今天能满足它的最低价套餐。</Lead>
      <Cards $columns={4}>
        {fitting.map(({ icon: Icon, title, text, plan }) => (
          <Use key={title} href={paths.sales(plan.groupId, plan.id)}>
            <Icon size={24} strokeWidth={1.5} aria-hidden />
            <b>{title}</b>
            <span>{text}</span>
            <small>
              {plan.name}：{includedText(plan.included)}
            </small>
            <strong>{formatYuan(plan.price)}/月</strong>
          </Use>
        ))}
      </Cards>
    </Section>
  )
}

const Use = styled(Link)`
  display: flex;
  flex-direction: column;
  gap: 6px;
  padding: 24px;
  border: 1px solid ${color.line};
  border-radius: ${radius.dialog};
  color: ${color.text};
  text-decoration: none;
  ${font.sm}
  ${font.numbers}

  &:hover {
    border-color: ${color.primary.brand};
  }

  svg {
    color: ${color.primary.brand};
  }

  b {
    margin-top: 6px;
    ${font.md}
    ${font.strong}
  }

  span {
    color: ${color.text2};
  }

  small {
    ${font.xs}
    color: ${color.text3};
  }

  strong {
    margin-top: auto;
    padding-top: 8px;
    ${font.lg}
    color: ${color.primary.text};
  }
`
