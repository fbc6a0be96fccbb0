import * as labels from '@vps/shared/labels'
import { paymentMethods, type PaymentMethod } from '@vps/shared/payments'
import styled from 'styled-components'
import { Tiles } from '../ui/Tiles'
import { MethodMark } from './MethodMark'

/** How a recharge is paid. */
export function MethodChoice({
  value,
  onChange,
  minWidth,
}: {
  value: PaymentMethod
  onChange: (method: PaymentMethod) => void
  minWidth: number
}) {
  return (
    <Tiles
      legend={labels.paymentMethod}
      name="method"
      minWidth={minWidth}
      value={value}
      onChange={onChange}
      tiles={paymentMethods.map(({ code, name, icon }) => ({
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
