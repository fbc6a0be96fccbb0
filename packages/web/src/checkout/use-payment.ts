import * as text from '@vps/shared/text'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { failureOf, messageOf } from '../api/errors'
import { trpc } from '../api/trpc'
import { toast } from '../ui/toast'

/** In case a pushed result was lost. */
const fallbackLookMs = 10_000

/** Looked at until it ends; its end is told once. */
export function usePayment(outTradeNo: string | null, onEnd: (paid: boolean) => void) {
  const utils = trpc.useUtils()
  const cancel = trpc.payments.cancel.useMutation({
    onError: (error) => toast(messageOf(error, '取消支付失败'), 'error'),
    // Its result leads away; until then a second press would be refused.
    onSettled: () => read.refetch(),
  })
  const read = trpc.payments.status.useQuery(
    { outTradeNo: outTradeNo ?? '' },
    {
      enabled: outTradeNo !== null,
      refetchInterval: ({ state: { data } }) => (data?.status === 'PENDING' || !data ? fallbackLookMs : false),
    },
  )
  const status = read.data?.status
  const ended = useRef<string | null>(null)

  const end = useEffectEvent(() => {
    if (!status || status === 'PENDING' || ended.current === outTradeNo) return
    ended.current = outTradeNo
    if (status === 'SUCCESS') toast(text.paymentSucceeded, 'success')
    else if (status === 'FAILED') toast(text.paymentFailed, 'error')
    else toast(text.paymentCancelled, 'info')
    void utils.wallet.invalidate()
    onEnd(status === 'SUCCESS')
  })
  useEffect(() => end(), [status, outTradeNo])

  // A press while it is looked at anyway is answered, too.
  const [checking, setChecking] = useState(false)
  async function check() {
    setChecking(true)
    const { data, error } = await read.refetch()
    setChecking(false)
    if (error) toast(failureOf(text.paymentQueryFailed, error), 'error')
    else if (data?.status === 'PENDING') toast(text.paymentPending, 'info')
  }

  const giveUp = (outTradeNo: string) => cancel.mutate({ outTradeNo })

  return { read, check, checking, giveUp, cancelling: cancel.isPending }
}
