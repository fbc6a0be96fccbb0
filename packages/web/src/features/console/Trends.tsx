import * as text from '@vps/shared/text'
import { metricRanges, type MetricRange } from '@vps/shared/servers'
import type { MetricSeries } from '@vps/shared/servers.contract'
import { useMemo, useState } from 'react'
import { trpc } from '../../api/trpc'
import { Card } from '../../ui/Card'
import { RangeCharts, RangeChoice, type RangeChart } from '../../ui/RangeCharts'

/** The charts share a cursor. */
export function Trends({
  title,
  serverId,
  chartsOf,
}: {
  title: string
  serverId: string
  /** Keep it the same while it draws the same. */
  chartsOf: (points: MetricSeries['points']) => RangeChart[]
}) {
  const [range, setRange] = useState<MetricRange>('hour')
  const metrics = trpc.console.metrics.useQuery(
    { id: serverId, range },
    // A point is a minute or more wide.
    { refetchInterval: 60_000, placeholderData: (old) => old },
  )
  const points = metrics.data?.points
  const times = useMemo(() => (points ?? []).map(({ at }) => at), [points])
  const charts = useMemo(() => chartsOf(points ?? []), [points, chartsOf])

  return (
    <Card
      title={title}
      actions={<RangeChoice name="metric-range" ranges={metricRanges} value={range} onChange={setRange} />}
    >
      <RangeCharts times={times} charts={charts} read={metrics} failed={text.monitoringReadFailed} />
    </Card>
  )
}
