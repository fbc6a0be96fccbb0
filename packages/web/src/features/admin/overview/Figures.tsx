import { numberText } from '@vps/shared/digits'
import * as labels from '@vps/shared/labels'
import type { OverviewView } from '@vps/shared/overview.contract'
import { paths } from '../../../paths'
import { Money } from '../../../ui/Money'
import { SummaryCards } from '../../../ui/SummaryCards'

/** Today's money, and how many are served and new. */
export function Figures({ shown, failed }: { shown: OverviewView | undefined; failed: boolean }) {
  const today = shown?.incomeByDay.at(-1)
  return (
    <SummaryCards
      failed={failed}
      cards={[
        { label: '今日充值', value: today && <Money yuan={today.recharged} />, href: paths.allPayments() },
        { label: '今日消费', value: today && <Money yuan={today.spent} /> },
        {
          label: labels.activeOrders,
          value: shown && numberText(shown.ordersByStatus['ACTIVE'] ?? 0),
          href: paths.allOrders({ status: 'ACTIVE' }),
        },
        { label: '近 30 天新用户', value: shown && numberText(shown.newUsers), href: paths.users() },
      ]}
    />
  )
}
