import { yuan } from '@vps/shared/money'
import { missingFor } from '@vps/shared/wallet'
import type { OrderView } from '@vps/shared/orders.contract'
import { skipToken } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { codeOf, isAnswer, messageOf } from '../api/errors'
import { trpc, type Outputs } from '../api/trpc'
import { useKeyed } from '../api/use-keyed'
import { watchJob } from '../jobs/watched-jobs'
import { useChoicesAnew } from '../api/use-choices-anew'
import { toast } from '../ui/toast'
import { useDebounced } from '../ui/use-debounced'
import { useOpen } from '../ui/use-open'
import { biggerOffers, fittedUpgrade, startUpgrade, toUpgrade, type UpgradeDraft } from './upgrade'

type Quote = Outputs['orders']['upgradeQuote']
type Input = NonNullable<ReturnType<typeof toUpgrade>>

export const upgradeFailed = '升级失败'

/** What is chosen, what it costs, and the act. */
export function useUpgrade(order: OrderView, onClose: () => void, onStarted: (jobId: string) => void) {
  const utils = trpc.useUtils()
  const catalogue = trpc.shop.priceGroups.useQuery()
  const wallet = trpc.wallet.get.useQuery()
  const readAnew = useReadAnew()
  const upgrade = trpc.orders.upgrade.useMutation({ onError: readAnew })
  const [chosen, setChosen] = useState<UpgradeDraft>(() => startUpgrade(order))
  const [upgradeOnce, upgrading] = useKeyed(upgrade.mutateAsync)
  const [failure, setFailure] = useState<unknown>(null)
  // Until answered it is the same act, under its key and at its price.
  const [agreed, agree] = useState<{ input: Input; quote: Quote } | null>(null)
  const isOpen = useOpen()
  const offers = biggerOffers(order, catalogue.data ?? [])
  const draft = fittedUpgrade(order, chosen, offers)
  const settled = useDebounced(chosen, 250)
  const wanted = toUpgrade(order, fittedUpgrade(order, settled, offers))
  const quote = trpc.orders.upgradeQuote.useQuery(wanted ?? skipToken, {
    staleTime: 0,
    placeholderData: (old) => old,
  })
  const unquoted = useEffectEvent(() => readAnew(quote.error))
  useEffect(() => unquoted(), [quote.error])
  const input = agreed?.input ?? wanted
  const shown = agreed?.quote ?? (quote.isError ? undefined : quote.data)
  const asked = settled === chosen && !quote.isPlaceholderData && input !== null && shown?.available === true
  const current = catalogue.data?.find(({ id }) => id === order.priceGroupId)
  const offer = offers.find(({ id }) => id === draft.priceGroupId) ?? current
  const balance = wallet.data?.balance ?? 0
  const due = agreed || !input ? 0 : (shown?.amount ?? 0)
  const missing = missingFor(yuan.decode(due), yuan.decode(balance))

  function choose(next: UpgradeDraft) {
    setChosen(next)
    agree(null)
    setFailure(null)
  }

  async function confirm() {
    if (!input || !shown) return
    setFailure(null)
    agree({ input, quote: shown })
    try {
      const { jobId } = await upgradeOnce({ ...input, amount: shown.amount })
      if (jobId) watchJob(jobId)
      toast(jobId ? '升级任务已提交' : '升级成功', 'success')
      void utils.orders.invalidate()
      void utils.wallet.invalidate()
      void utils.console.invalidate()
      void utils.backups.invalidate()
      if (!isOpen()) return
      onClose()
      if (jobId) onStarted(jobId)
    } catch (error) {
      if (!isOpen()) return toast(messageOf(error, upgradeFailed), 'error')
      if (isAnswer(error)) {
        agree(null)
        void quote.refetch()
      }
      setFailure(error)
    }
  }

  const ready = agreed !== null || asked
  return {
    catalogue,
    wallet,
    draft,
    setDraft: choose,
    input,
    quote,
    shown,
    offers,
    offer,
    missing,
    ready,
    upgrading,
    failure,
    confirm,
  }
}

/** What can be chosen, and what the order has: it may have grown elsewhere, as in another tab. */
function useReadAnew(): (error: unknown) => void {
  const utils = trpc.useUtils()
  const choicesAnew = useChoicesAnew()
  return (error) => {
    choicesAnew(error)
    if (codeOf(error) === null) return
    void utils.orders.page.invalidate()
    void utils.orders.get.invalidate()
  }
}
