import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import type { AddressView } from '@vps/shared/pools.contract'
import { Chip, type ChipTone } from '../../../ui/Chip'
import { TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim } from '../../../ui/Time'
import { OrderLink, ServerLink } from './links'

const words: Record<AddressView['state'], [string, ChipTone]> = {
  free: [states.available, 'success'],
  used: ['使用中', 'info'],
  releasing: ['释放中', 'warning'],
  reserved: [labels.reserved, 'neutral'],
}

/** Whether it can be handed out. */
export function AddressChip({ state }: Pick<AddressView, 'state'>) {
  const [word, tone] = words[state]
  return <Chip tone={tone}>{word}</Chip>
}

export const addressUserColumn: Column<Pick<AddressView, 'serverName' | 'orderId' | 'orderNumber'>> = {
  key: 'server',
  head: '使用者',
  cell: ({ serverName, orderId, orderNumber }) =>
    serverName ? (
      <TwoLines>
        <ServerLink orderId={orderId} name={serverName} />
        {orderNumber && (
          <small>
            <OrderLink number={orderNumber} />
          </small>
        )}
      </TwoLines>
    ) : (
      <Dim>—</Dim>
    ),
}
