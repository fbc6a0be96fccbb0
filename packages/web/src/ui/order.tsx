import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import { orderStatusNames, type OrderStatus } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { powerNames, type Power } from '@vps/shared/servers'
import { expiry } from '@vps/shared/time'
import styled from 'styled-components'
import { color, font, media } from '../theme/tokens'
import { Chip, type ChipTone } from './Chip'
import { Money } from './Money'
import { clockTime, dateText, Dim } from './Time'

const tones: Record<OrderStatus, ChipTone> = {
  PENDING: 'warning',
  PAID: 'info',
  PROCESSING: 'info',
  ACTIVE: 'success',
  SUSPENDED: 'warning',
  CANCELLED: 'neutral',
  EXPIRED: 'error',
}

/** In the specification's word. */
export function OrderChip({ status }: { status: OrderStatus }) {
  return (
    <Chip tone={tones[status]} busy={status === 'PAID' || status === 'PROCESSING'}>
      {orderStatusNames[status]}
    </Chip>
  )
}

export const powerWords: Record<Power, [word: string, tone: ChipTone]> = {
  on: [powerNames.on, 'success'],
  off: [powerNames.off, 'neutral'],
  unknown: [powerNames.unknown, 'unknown'],
}

/** As known now; else when it last was. */
export function PowerChip({ power, observedAt = null }: { power: Power; observedAt?: string | null }) {
  const [word, tone] = powerWords[power]
  return (
    <Chip tone={tone}>
      {word}
      {power === 'unknown' && observedAt && `，最后上报 ${clockTime(observedAt)}`}
    </Chip>
  )
}

/** With what its machine is doing. */
export function ServerChips({ order }: { order: OrderView }) {
  return (
    <Chips>
      <OrderChip status={order.status} />
      <MachineChip order={order} />
    </Chips>
  )
}

function MachineChip({ order: { status, server } }: { order: OrderView }) {
  if (server === null) return null
  if (server.installStatus === 'FAILED') return <Chip tone="error">{states.installFailed}</Chip>
  if (status !== 'ACTIVE' && status !== 'SUSPENDED') return null
  if (server.installStatus !== 'INSTALLING') return <PowerChip power={server.power} />
  return (
    <Chip tone="info" busy>
      {states.installing}
    </Chip>
  )
}

/** What becomes of a cancelled order's money. */
export function PaidBack({ yuan, to }: { yuan: number; to: string }) {
  return (
    <>
      已支付的 <Money yuan={yuan} /> 将全额退回{to}。
    </>
  )
}

const roles = { expired: 'error', soon: 'warning', later: null } as const

/** Expired in the error colour, near in the warning colour. */
export function Expiry({ at, inline = false }: { at: string | null; inline?: boolean }) {
  if (at === null) return <Dim>—</Dim>
  const { level, text } = expiry(new Date(at), new Date())
  const role = roles[level]
  return (
    <Two $inline={inline}>
      <time dateTime={at}>{dateText(at)}</time>
      <small style={role ? { color: color[role].text } : undefined}>{text}</small>
    </Two>
  )
}

/** Of what was cancelled nothing is left, whatever was once paid for. */
export const endOf = ({ status, expiresAt }: Pick<OrderView, 'status' | 'expiresAt'>) =>
  status === 'CANCELLED' ? null : expiresAt

/** Units are dimmer. */
export function Spec({ order }: { order: Pick<OrderView, 'cpuCores' | 'memoryGb' | 'storageGb' | 'bandwidthMbps'> }) {
  return (
    <Line>
      <Part of={order.cpuCores} unit={labels.cores} /> <Part of={order.memoryGb} unit="GB ·" />{' '}
      <Part of={order.storageGb} unit="GB ·" /> <Part of={order.bandwidthMbps} unit="Mbps" />
    </Line>
  )
}

const Part = ({ of, unit }: { of: number; unit: string }) => (
  <span>
    {of} <Dim>{unit}</Dim>
  </span>
)

const Chips = styled.span`
  display: inline-flex;
  flex-wrap: wrap;
  gap: 4px;
  vertical-align: middle;

  ${media.narrow} {
    justify-content: flex-end;
  }
`

const Two = styled.span<{ $inline: boolean }>`
  display: ${({ $inline }) => ($inline ? 'inline-flex' : 'grid')};
  flex-wrap: wrap;
  align-items: baseline;
  column-gap: 8px;
  white-space: nowrap;
  ${font.numbers}

  small {
    ${font.xs}
    color: ${color.text3};
  }
`

const Line = styled.span`
  ${font.numbers}

  > span {
    white-space: nowrap;
  }
`
