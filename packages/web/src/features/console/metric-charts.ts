import * as labels from '@vps/shared/labels'
import type { MetricSeries } from '@vps/shared/servers.contract'
import type { RangeChart } from '../../ui/RangeCharts'

export type Live = Partial<Record<'cpuUsage' | 'memoryUsage' | 'diskUsage', number | null>>
type Points = MetricSeries['points']

const percentText = (value: number) => `${Math.round(value)}%`

const nowOf = (now: number | null | undefined) => (now === undefined ? {} : { now })

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

/** How busy the machine was. */
export const usageChart = (points: Points, live: Live = {}): RangeChart => ({
  title: '资源使用率',
  percent: true,
  format: percentText,
  lines: [
    { label: 'CPU', values: points.map(({ cpuUsage }) => cpuUsage), ...nowOf(live.cpuUsage) },
    { label: labels.memory, values: points.map(({ memoryUsage }) => memoryUsage), ...nowOf(live.memoryUsage) },
    { label: labels.disk, values: points.map(({ diskUsage }) => diskUsage), ...nowOf(live.diskUsage) },
  ],
})

/** In bytes per second. */
export const trafficChart = (points: Points): RangeChart => ({
  title: '网络流量',
  firstColour: 3,
  format: rateText,
  lines: [
    { label: labels.inbound, values: points.map(({ rxRate }) => rxRate) },
    { label: labels.outbound, values: points.map(({ txRate }) => txRate) },
  ],
})
