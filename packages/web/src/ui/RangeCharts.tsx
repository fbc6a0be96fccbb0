import * as verbs from '@vps/shared/verbs'
import type { MetricRange } from '@vps/shared/servers'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import styled from 'styled-components'
import { failureOf } from '../api/errors'
import { color, font, media } from '../theme/tokens'
import { Alert } from './Alert'
import { Button } from './Button'
import { ChartWaiting } from './ChartWaiting'
import type { ChartLine } from './line-chart'
import { Segments } from './Segments'

const LineChart = lazy(async () => ({ default: (await import('./LineChart')).LineChart }))

export const timeRange = '时间范围'

const rangeWords: Record<MetricRange, string> = { hour: '1 小时', day: '24 小时', week: '7 天', month: '30 天' }
const words = <Range extends MetricRange>(ranges: readonly Range[]) =>
  ranges.map((range) => [range, rangeWords[range]] as const)

export interface RangeChart {
  title: string
  lines: ChartLine[]
  format: (value: number) => string
  percent?: boolean
  firstColour?: number
}

/** An hour, a day, a week or a month. */
export function RangeChoice<Range extends MetricRange>({
  name,
  ranges,
  value,
  onChange,
}: {
  name: string
  ranges: readonly Range[]
  value: Range
  onChange: (range: Range) => void
}) {
  return <Segments label={timeRange} name={name} value={value} onChange={onChange} options={words(ranges)} />
}

/** Figures over a range as charts. */
export function RangeCharts({
  times,
  charts,
  read,
  failed,
  few = '数据还不够画出曲线，请稍后再来看。',
}: {
  times: string[]
  /** Empty while awaited: their number keeps the place. */
  charts: RangeChart[]
  read: { data: unknown; isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  failed: string
  few?: ReactNode
}) {
  const [pointed, onPoint] = useState<number | null>(null)
  const bars = (
    <Charts $single={charts.length === 1}>
      {charts.map(({ title }) => (
        <ChartWaiting key={title} />
      ))}
    </Charts>
  )
  if (!read.data) {
    if (!read.isError) return bars
    return (
      <Alert tone="warning" action={<Button onClick={() => void read.refetch()}>{verbs.retry}</Button>}>
        {failureOf(failed, read.error)}
      </Alert>
    )
  }
  const known = times.filter((_, i) => charts.some(({ lines }) => lines.some(({ values }) => values[i] != null)))
  if (known.length < 2) return <Quiet>{few}</Quiet>
  return (
    <Suspense fallback={bars}>
      <Charts $single={charts.length === 1}>
        {charts.map((chart) => (
          <LineChart key={chart.title} times={times} pointed={pointed} onPoint={onPoint} {...chart} />
        ))}
      </Charts>
    </Suspense>
  )
}

const Charts = styled.div<{ $single: boolean }>`
  display: grid;
  grid-template-columns: repeat(${({ $single }) => ($single ? 1 : 2)}, minmax(0, 1fr));
  gap: 16px 32px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }
`

const Quiet = styled.p`
  padding: 24px 0;
  text-align: center;
  ${font.sm}
  color: ${color.text3};
`
