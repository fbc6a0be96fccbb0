import type { MetricRange, MetricSeries } from '@vps/shared/servers'
import { lazy, Suspense, useMemo, useState } from 'react'
import styled from 'styled-components'
import { failureOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { color, font, media } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Segments } from '../../ui/Segments'
import { Bar } from '../../ui/states'

const LineChart = lazy(async () => ({ default: (await import('../../ui/LineChart')).LineChart }))

const ranges: [MetricRange, string][] = [
  ['hour', '1 小时'],
  ['day', '24 小时'],
  ['week', '7 天'],
  ['month', '30 天'],
]

/** Usage and traffic over an hour, a day, a week or a month. */
export function Trends({ serverId }: { serverId: string }) {
  const [range, setRange] = useState<MetricRange>('hour')
  const metrics = trpc.console.metrics.useQuery(
    { id: serverId, range },
    // A point is a minute or more wide, so a look a minute shows every new one; the old range stays until the new one is there.
    { refetchInterval: 60_000, placeholderData: (old) => old },
  )
  const charts = useMemo(() => metrics.data && chartsOf(metrics.data), [metrics.data])

  return (
    <Box>
      <Head>
        <h3>历史趋势</h3>
        <Segments label="时间范围" name="metric-range" value={range} onChange={setRange} options={ranges} />
      </Head>
      {metrics.isError && !charts ? (
        <Alert tone="warning" action={<Button onClick={() => void metrics.refetch()}>重试</Button>}>
          {failureOf('监控数据读取失败', metrics.error)}
        </Alert>
      ) : !charts ? (
        <Charts>
          <Bar $height={252} />
          <Bar $height={252} />
        </Charts>
      ) : charts.times.length < 2 ? (
        <Quiet>数据还不够画出曲线，请稍后再来看。</Quiet>
      ) : (
        <Suspense
          fallback={
            <Charts>
              <Bar $height={252} />
              <Bar $height={252} />
            </Charts>
          }
        >
          <Charts>
            <LineChart title="资源使用率" percent format={percentText} times={charts.times} lines={charts.usage} />
            <LineChart title="网络流量" firstColour={3} format={rateText} times={charts.times} lines={charts.traffic} />
          </Charts>
        </Suspense>
      )}
    </Box>
  )
}

const percentText = (value: number) => `${Math.round(value)}%`

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

function chartsOf({ points }: MetricSeries) {
  return {
    times: points.map(({ at }) => at),
    usage: [
      { label: 'CPU', values: points.map(({ cpuUsage }) => cpuUsage) },
      { label: '内存', values: points.map(({ memoryUsage }) => memoryUsage) },
      { label: '磁盘', values: points.map(({ diskUsage }) => diskUsage) },
    ],
    traffic: [
      { label: '入站', values: points.map(({ rxRate }) => rxRate) },
      { label: '出站', values: points.map(({ txRate }) => txRate) },
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

const Charts = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
  gap: 16px 32px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }
`

const Quiet = styled.p`
  padding: 24px 0;
  text-align: center;
  color: ${color.text3};
`
