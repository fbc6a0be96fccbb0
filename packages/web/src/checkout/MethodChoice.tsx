import * as labels from '@vps/shared/labels'
import { paymentMethods, type PaymentMethod } from '@vps/shared/payments'
import styled from 'styled-components'
import { color } from '../theme/tokens'
import { Tiles } from '../ui/Tiles'
import { methodIcons } from './methods'

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
      tiles={paymentMethods.map(({ code, name, icon }) => {
        const Icon = methodIcons[icon]
        return {
          value: code,
          label: name,
          content: (
            <Method>
              <Icon size={20} strokeWidth={1.75} aria-hidden />
              {name}
            </Method>
          ),
        }
      })}
    />
  )
}

const Method = styled.span`
  display: flex;
  align-items: center;
  gap: 10px;

  svg {
    flex: none;
    color: ${color.primary.text};
  }
`
