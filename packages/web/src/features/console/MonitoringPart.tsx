import { useCallback } from 'react'
import type { MetricSeries } from '@vps/shared/servers.contract'
import { trafficChart, usageChart } from './metric-charts'
import type { ConsoleServer } from '../../servers/console-server'
import { Trends } from './Trends'
import { useMonitoring } from './use-monitoring'

/** How busy the machine and its wire were. */
export function MonitoringPart({ server }: { server: ConsoleServer }) {
  const { data: live } = useMonitoring(server.id)
  // A dedicated server's is not measured.
  const hasTraffic = server.driver === 'kvm'
  const chartsOf = useCallback(
    (points: MetricSeries['points']) => [usageChart(points, live), ...(hasTraffic ? [trafficChart(points)] : [])],
    [live, hasTraffic],
  )
  return <Trends title="历史趋势" serverId={server.id} chartsOf={chartsOf} />
}
