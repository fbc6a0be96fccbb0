import * as labels from '@vps/shared/labels'
import type { OverviewView } from '@vps/shared/overview.contract'
import { useState } from 'react'
import { ChartWaiting } from '../../../ui/ChartWaiting'
import { timeRange } from '../../../ui/RangeCharts'
import { Segments } from '../../../ui/Segments'
import { ByDay } from './ByDay'
import { yuanText } from './figure-texts'
import { incomeLines } from './income-lines'
import { Months } from './Months'
import { WideCard } from './WideCard'

const spans = [
  ['days', labels.last30Days],
  ['months', '近 12 个月'],
] as const

/** Undefined days are awaited. */
export function IncomeCard({ days }: { days: OverviewView['incomeByDay'] | undefined }) {
  const [span, setSpan] = useState<'days' | 'months'>('days')
  return (
    <WideCard
      title="收支"
      actions={<Segments label={timeRange} name="income-span" value={span} onChange={setSpan} options={spans} />}
    >
      {span === 'months' ? (
        <Months />
      ) : days ? (
        <ByDay title={labels.amount} days={days} format={yuanText} lines={incomeLines} />
      ) : (
        <ChartWaiting />
      )}
    </WideCard>
  )
}
