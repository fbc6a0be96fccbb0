import type { OrderView } from '@vps/shared/orders.contract'
import { useSession } from '../../api/session'
import { paths } from '../../paths'

/** Whether its owner looks, who alone may name, pay and upgrade it; and where its order is: for staff among all. */
export function useOwn({ id, userId, orderNumber }: Pick<OrderView, 'id' | 'userId' | 'orderNumber'>) {
  const own = useSession().user?.id === userId
  return { own, orderHref: own ? paths.orders(id) : paths.allOrders({ q: orderNumber }) }
}
