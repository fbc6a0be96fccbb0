import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { metricRanges, type MetricRange } from '@vps/shared/servers'
import type { MetricSeries } from '@vps/shared/servers.contract'
import { useMemo, useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { color, font } from '../../theme/tokens'
import { RangeCharts, RangeChoice, type RangeChart } from '../../ui/RangeCharts'

type Live = Partial<Record<'cpuUsage' | 'memoryUsage' | 'diskUsage', number | null>>

/** Usage and traffic over an hour, a day, a week or a month; beside it, as on the rings, what the usage is now. */
export function Trends({ serverId, live }: { serverId: string; live: Live | undefined }) {
  const [range, setRange] = useState<MetricRange>('hour')
  const metrics = trpc.console.metrics.useQuery(
    { id: serverId, range },
    // A point is a minute or more wide, so a look a minute shows every new one; the old range stays until the new one
    // is there.
    { refetchInterval: 60_000, placeholderData: (old) => old },
  )
  const { times, charts } = useMemo(() => chartsOf(metrics.data?.points ?? [], live), [metrics.data, live])

  return (
    <Box>
      <Head>
        <h3>历史趋势</h3>
        <RangeChoice name="metric-range" ranges={metricRanges} value={range} onChange={setRange} />
      </Head>
      <RangeCharts times={times} charts={charts} read={metrics} failed={text.monitoringReadFailed} />
    </Box>
  )
}

const percentText = (value: number) => `${Math.round(value)}%`

const nowOf = (now: number | null | undefined) => (now === undefined ? {} : { now })

/** Bytes per second in the unit that keeps the number short. */
function rateText(bytesPerSecond: number): string {
  const units = ['B/s', 'KB/s', 'MB/s', 'GB/s']
  let value = bytesPerSecond
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

function chartsOf(points: MetricSeries['points'], live: Live = {}): { times: string[]; charts: RangeChart[] } {
  return {
    times: points.map(({ at }) => at),
    charts: [
      {
        title: '资源使用率',
        percent: true,
        format: percentText,
        lines: [
          { label: 'CPU', values: points.map(({ cpuUsage }) => cpuUsage), ...nowOf(live.cpuUsage) },
          { label: labels.memory, values: points.map(({ memoryUsage }) => memoryUsage), ...nowOf(live.memoryUsage) },
          { label: labels.disk, values: points.map(({ diskUsage }) => diskUsage), ...nowOf(live.diskUsage) },
        ],
      },
      {
        title: '网络流量',
        firstColour: 3,
        format: rateText,
        lines: [
          { label: '入站', values: points.map(({ rxRate }) => rxRate) },
          { label: '出站', values: points.map(({ txRate }) => txRate) },
        ],
      },
    ],
  }
}

const Box = styled.div`
  margin-top: 20px;
  padding-top: 16px;
  border-top: 1px solid ${color.line};
`

const Head = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  flex-wrap: wrap;
  gap: 8px;
  margin-bottom: 12px;

  h3 {
    ${font.sm}
  }
`
