import { Link } from 'wouter'
import { paths } from '../../../paths'

/** Whole in its title: lists cut names after two lines. */
const named = (href: string, name: string) => (
  <Link href={href} title={name}>
    {name}
  </Link>
)

export const CustomerLink = ({ id, name }: { id: string; name: string }) => named(paths.user(id), name)

export const HostLink = ({ id, name }: { id: string; name: string }) => named(paths.host(id), name)

/** To its console; without an order, to the list. */
export const ServerLink = ({ orderId, name }: { orderId: string | null; name: string }) =>
  named(orderId ? paths.console(orderId) : paths.servers({ q: name }), name)

/** To the list that has it alone. */
export function OrderLink({ number }: { number: string }) {
  return <Link href={paths.allOrders({ q: number })}>{number}</Link>
}
