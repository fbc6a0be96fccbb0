import { Link } from 'wouter'
import { paths } from '../../../paths'

export function CustomerLink({ id, name }: { id: string; name: string }) {
  return <Link href={paths.user(id)}>{name}</Link>
}

export function HostLink({ id, name }: { id: string; name: string }) {
  return (
    <Link href={paths.host(id)} title={name}>
      {name}
    </Link>
  )
}

/** To its console; without an order, to the list. */
export function ServerLink({ orderId, name }: { orderId: string | null; name: string }) {
  return (
    <Link href={orderId ? paths.console(orderId) : paths.servers({ q: name })} title={name}>
      {name}
    </Link>
  )
}

/** To the list that has it alone. */
export function OrderLink({ number }: { number: string }) {
  return <Link href={paths.allOrders({ q: number })}>{number}</Link>
}
