import * as text from '@vps/shared/text'
import { failureOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { toast } from '../../../ui/toast'
import { outcomeWords } from './outcome-words'

/** Asks by hand, and tells the answer. */
export function useCheck() {
  const utils = trpc.useUtils()
  const check = trpc.payments.check.useMutation({
    onSuccess: async ({ outcome }) => {
      const [kind, words] = outcomeWords[outcome]
      toast(words, kind)
      await Promise.all([utils.payments.invalidate(), utils.users.invalidate(), utils.wallet.invalidate()])
    },
    onError: (error) => toast(failureOf(text.paymentQueryFailed, error), 'error'),
  })
  return {
    isPending: check.isPending,
    asked: check.isPending ? check.variables.outTradeNo : null,
    run: ({ outTradeNo }: { outTradeNo: string }) => check.mutate({ outTradeNo }),
  }
}
