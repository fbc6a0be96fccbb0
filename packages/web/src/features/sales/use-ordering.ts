import * as text from '@vps/shared/text'
import { useState } from 'react'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import { toast } from '../../ui/toast'
import type { toOrder } from './configurator'
import { forgetDraft, keptOf } from './kept-draft'

/** Places an order once, and tells its id. */
export function useOrdering(offerId: string, onPlaced: (orderId: string) => void) {
  const place = trpc.orders.place.useMutation()
  const [placeOnce, placing] = useKeyed(place.mutateAsync)
  const [problem, setProblem] = useState(() => forgotten(offerId))

  async function order(wanted: ReturnType<typeof toOrder>) {
    try {
      const placed = await placeOnce(wanted)
      forgetDraft()
      toast(text.orderCreated, 'success')
      onPlaced(placed.id)
    } catch (error) {
      setProblem(messageOf(error, text.orderFailed))
    }
  }

  return { order, placing, problem, setProblem }
}

const forgotten = (offerId: string): string | null =>
  keptOf(offerId) === 'without its password' ? '请重新填写初始密码，再点击立即购买' : null
