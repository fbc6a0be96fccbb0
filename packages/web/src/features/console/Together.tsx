import { hasEnded, orderStatusNames } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import { CircleCheck, CircleX } from 'lucide-react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font, radius } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { Spinner } from '../../ui/Spinner'
import { headline, isOpen, lookAgain } from './install-words'

/** Nothing for a server bought alone. */
export function Together({ orderId, serverId }: { orderId: string; serverId: string }) {
  const { orders = [] } = trpc.orders.get.useQuery({ id: orderId }).data ?? {}
  const made = orders.flatMap((order) => (order.serverId ? [{ ...order, serverId: order.serverId }] : []))
  if (made.length < 2) return null
  return (
    <Card title={`一起购买的 ${made.length} 台服务器`} note="点击查看各自的进度与登录方式">
      <List>
        {made.map((order) => (
          <li key={order.id}>
            <Server order={order} isShown={order.serverId === serverId} />
          </li>
        ))}
      </List>
    </Card>
  )
}

type Made = NonNullable<OrderView['orders']>[number] & { serverId: string }

function Server({ order, isShown }: { order: Made; isShown: boolean }) {
  const settingUp = order.status === 'PAID' || order.status === 'PROCESSING'
  const { data } = trpc.console.install.useQuery(
    { id: order.serverId },
    { enabled: settingUp, refetchInterval: lookAgain },
  )
  const open = settingUp && (!data || isOpen(data))
  const failed = !open && (hasEnded(order.status) || (settingUp && data?.installStatus === 'FAILED'))
  const progress = data && (open ? `${data.percentage}%` : headline(data))
  return (
    <Line href={paths.installProgress(order.serverId)} aria-current={isShown ? 'page' : undefined}>
      {open ? (
        <Busy>
          <Spinner />
        </Busy>
      ) : failed ? (
        <CircleX size={16} color={color.error.text} aria-hidden />
      ) : (
        <CircleCheck size={16} color={color.success.text} aria-hidden />
      )}
      <Name>
        {order.serverName}
        <small>{order.ipAddress ?? text.noAddressYet}</small>
      </Name>
      <small>{(settingUp && progress) || orderStatusNames[order.status]}</small>
    </Line>
  )
}

const List = styled.ul`
  display: grid;
  gap: 4px;
`

const Line = styled(Link)`
  display: grid;
  grid-template-columns: 20px minmax(0, 1fr) auto;
  align-items: center;
  gap: 12px;
  min-height: 48px;
  padding: 4px 12px;
  border-radius: ${radius.control};
  color: ${color.text};

  &:hover,
  &[aria-current] {
    background: ${color.primary.tint};
  }

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text2};
  }
`

const Name = styled.span`
  display: grid;
  overflow-wrap: anywhere;
`

const Busy = styled.span`
  display: inline-flex;
  color: ${color.primary.text};
`
