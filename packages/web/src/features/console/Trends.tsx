import * as text from '@vps/shared/text'
import { metricRanges, type MetricRange } from '@vps/shared/servers'
import { useMemo, useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { color, font } from '../../theme/tokens'
import { RangeCharts, RangeChoice } from '../../ui/RangeCharts'
import { type Live, chartsOf } from './metric-charts'

/** Usage and traffic over an hour, a day, a week or a month. */
export function Trends({ serverId, live }: { serverId: string; live: Live | undefined }) {
  const [range, setRange] = useState<MetricRange>('hour')
  const metrics = trpc.console.metrics.useQuery(
    { id: serverId, range },
    // A point is a minute or more wide. The old range stays until the new one is there.
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
