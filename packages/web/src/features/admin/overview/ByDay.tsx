import { startOfShanghaiDay } from '@vps/shared/time'
import { lazy, Suspense, useState } from 'react'
import { ChartWaiting } from '../../../ui/ChartWaiting'
import type { ChartLine } from '../../../ui/line-chart'

const LineChart = lazy(async () => ({ default: (await import('../../../ui/LineChart')).LineChart }))

interface ByDayProps<Day> {
  title: string
  days: Day[]
  lines: (days: Day[]) => ChartLine[]
  format: (value: number) => string
  firstColour?: number
}

/** A point a day. */
export function ByDay<Day extends { day: string }>({ days, lines, ...chart }: ByDayProps<Day>) {
  const [pointed, onPoint] = useState<number | null>(null)
  const times = days.map(({ day }) => startOfShanghaiDay(day).toISOString())
  return (
    <Suspense fallback={<ChartWaiting />}>
      <LineChart times={times} lines={lines(days)} pointed={pointed} onPoint={onPoint} {...chart} />
    </Suspense>
  )
}
