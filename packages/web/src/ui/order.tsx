/** How an order and its server look, wherever they are shown. */
import { orderStatusNames, type OrderStatus, type OrderView } from '@vps/shared/orders'
import { expiry } from '@vps/shared/time'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'
import { Chip, type ChipTone } from './Chip'
import { dateText, Dim } from './Time'

const tones: Record<OrderStatus, ChipTone> = {
  PENDING: 'warning',
  PAID: 'info',
  PROCESSING: 'info',
  ACTIVE: 'success',
  SUSPENDED: 'warning',
  CANCELLED: 'neutral',
  EXPIRED: 'error',
}

/** The order's state in the specification's word. */
export function OrderChip({ status }: { status: OrderStatus }) {
  return (
    <Chip tone={tones[status]} busy={status === 'PROCESSING'}>
      {orderStatusNames[status]}
    </Chip>
  )
}

/** What the server of an order is doing. */
export function ServerChip({ order }: { order: OrderView }) {
  const { status, server } = order
  if (server?.installStatus === 'FAILED' && status !== 'CANCELLED') return <Chip tone="error">安装失败</Chip>
  if (status === 'PAID' || status === 'PROCESSING' || server?.installStatus === 'INSTALLING') {
    return (
      <Chip tone="info" busy>
        安装中
      </Chip>
    )
  }
  if (status === 'SUSPENDED') return <Chip tone="warning">已暂停</Chip>
  if (status === 'ACTIVE') {
    return server?.status === 'ONLINE' ? <Chip tone="success">运行中</Chip> : <Chip tone="neutral">已停止</Chip>
  }
  return <OrderChip status={status} />
}

const roles = { expired: 'error', soon: 'warning', later: null } as const

/** A date and how far it is: expired in the error colour, near in the warning colour. */
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

/** 2 核 4 GB · 40 GB · 100 Mbps with the units dimmer. */
export function Spec({ order }: { order: Pick<OrderView, 'cpuCores' | 'memoryGb' | 'storageGb' | 'bandwidthMbps'> }) {
  return (
    <Line>
      {order.cpuCores} <Dim>核</Dim> {order.memoryGb} <Dim>GB ·</Dim> {order.storageGb} <Dim>GB ·</Dim>{' '}
      {order.bandwidthMbps} <Dim>Mbps</Dim>
    </Line>
  )
}

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
`
