import * as text from '@vps/shared/text'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { codeOf, isAnswer, messageOf } from '../api/errors'
import { trpc } from '../api/trpc'
import { useKeyed } from '../api/use-keyed'
import { paths } from '../paths'
import { toast } from '../ui/toast'
import { useOpen } from '../ui/use-open'

/** Pays the amount the customer saw: another is refused, and asked for anew. */
export function usePay(orderId: string, onPaid: () => void) {
  const utils = trpc.useUtils()
  const pay = trpc.orders.pay.useMutation()
  const [payOnce, paying] = useKeyed(pay.mutateAsync)
  const [failure, setFailure] = useState<unknown>(null)
  // Until answered it is the same act, however much of the purchase is still unpaid by now.
  const [asked, ask] = useState<number | null>(null)
  const isOpen = useOpen()

  async function confirm({ amount, key }: { amount: number; key?: string }) {
    setFailure(null)
    ask(amount)
    try {
      const paid = await payOnce({ id: orderId, amount }, key)
      toast(text.paySucceeded, 'success')
      void utils.orders.invalidate()
      void utils.wallet.invalidate()
      if (!isOpen()) return
      onPaid()
      if (paid.serverId) navigate(paths.installProgress(paid.serverId))
    } catch (error) {
      setFailure(error)
      if (isAnswer(error)) ask(null)
      if (!isOpen()) toast(messageOf(error, text.payFailed), 'error')
      if (['PRICE_CHANGED', 'MOVE_NOT_ALLOWED'].includes(codeOf(error) ?? ''))
        void utils.orders.get.invalidate({ id: orderId })
      if (codeOf(error) === 'INSUFFICIENT_BALANCE') void utils.wallet.invalidate()
    }
  }

  return { confirm, paying, failure, asked }
}
