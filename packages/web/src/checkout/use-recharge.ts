import * as labels from '@vps/shared/labels'
import type { PaymentMethod } from '@vps/shared/payments'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import { messageOf, Unanswered } from '../api/errors'
import { trpc } from '../api/trpc'
import { useKeyed } from '../api/use-keyed'
import { toast } from '../ui/toast'
import { usePhone } from '../theme/use-media'
import { useOpen } from '../ui/use-open'

/** Starts a payment once however often pressed; tells its number, and whether it is still waited for. */
export function useRecharge(onStarted: (outTradeNo: string, isHere: boolean) => void) {
  const utils = trpc.useUtils()
  const create = trpc.payments.create.useMutation()
  const [createOnce, creating] = useKeyed(create.mutateAsync)
  const [problem, setProblem] = useState<string | null>(null)
  const [unsure, setUnsure] = useState(false)
  const isOpen = useOpen()
  const device = usePhone() ? 'mobile' : 'pc'

  const tell = (message: string) => (isOpen() ? setProblem(message) : toast(message, 'error'))

  async function start(money: number, type: PaymentMethod, name = '') {
    setProblem(null)
    setUnsure(false)
    try {
      const reply = await createOnce({ money, type, device, ...(name ? { name } : {}) })
      if (reply.code !== 1) return tell(reply.msg || text.paymentCreateFailed)
      const { outTradeNo, qrCode, payUrl } = reply
      // Shown at once: the first look asks the gateway, which may be slow.
      utils.payments.status.setData(
        { outTradeNo },
        {
          outTradeNo,
          qrCode,
          payUrl,
          money,
          type,
          device,
          name: name || labels.accountRecharge,
          status: 'PENDING',
          tradeNo: null,
          completedAt: null,
          clientIp: null,
          createdAt: new Date().toISOString(),
        },
        { updatedAt: 0 },
      )
      toast(text.paymentCreated, 'success')
      onStarted(outTradeNo, isOpen())
    } catch (error) {
      tell(messageOf(error, text.paymentCreateFailed))
      setUnsure(error instanceof Unanswered)
    }
  }

  return { start, creating, problem, unsure }
}
