import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import styled from 'styled-components'
import { Alert } from '../ui/Alert'
import { Tiles } from '../ui/Tiles'
import { MethodMark } from './MethodMark'
import type { useMethod } from './use-method'

/** How to pay a recharge. */
export function MethodChoice({ choice, minWidth }: { choice: ReturnType<typeof useMethod>; minWidth: number }) {
  const { offered, method, choose } = choice
  if (method === null) return <Alert tone="warning">{text.rechargeUnavailable}</Alert>
  return (
    <Tiles
      legend={labels.paymentMethod}
      name="method"
      minWidth={minWidth}
      value={method}
      onChange={choose}
      tiles={offered.map(({ code, name, icon }) => ({
        value: code,
        label: name,
        content: (
          <Method>
            <MethodMark name={icon} />
            {name}
          </Method>
        ),
      }))}
    />
  )
}

const Method = styled.span`
  display: flex;
  align-items: center;
  gap: 10px;

  svg {
    flex: none;
  }
`
