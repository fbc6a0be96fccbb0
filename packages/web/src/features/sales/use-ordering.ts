import * as text from '@vps/shared/text'
import { useState } from 'react'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import { useChoicesAnew } from '../../api/use-choices-anew'
import { toast } from '../../ui/toast'
import { useOpen } from '../../ui/use-open'
import type { toOrder } from './configurator'
import { forgetDraft, keptOf } from './kept-draft'

/** Places an order once, and tells its id. */
export function useOrdering(offerId: string, onPlaced: (orderId: string) => void) {
  const place = trpc.orders.place.useMutation({ onError: useChoicesAnew() })
  const [placeOnce, placing] = useKeyed(place.mutateAsync)
  const [problem, setProblem] = useState(() => forgotten(offerId))
  const isOpen = useOpen()

  async function order(wanted: ReturnType<typeof toOrder>) {
    try {
      const placed = await placeOnce(wanted)
      forgetDraft()
      toast(text.orderCreated, 'success')
      if (isOpen()) onPlaced(placed.id)
    } catch (error) {
      const message = messageOf(error, text.orderFailed)
      if (isOpen()) setProblem(message)
      else toast(message, 'error')
    }
  }

  return { order, placing, problem, setProblem }
}

const forgotten = (offerId: string): string | null =>
  keptOf(offerId) === 'without its password' ? '请重新填写初始密码，再点击立即购买' : null
