import { numberText } from '@vps/shared/digits'
import * as labels from '@vps/shared/labels'
import type { HostLoad as Load } from '@vps/shared/hosts.contract'
import type { RangeChart } from '../../../ui/RangeCharts'

const percentText = (value: number) => `${Math.round(value)}%`

const loadText = (value: number) => (value > 0 && value < 10 ? value.toFixed(2) : numberText(value))

export function chartsOf(points: Load['points'], cores: number): { times: string[]; charts: RangeChart[] } {
  return {
    times: points.map(({ at }) => at),
    charts: [
      {
        title: '使用率',
        percent: true,
        format: percentText,
        lines: [
          { label: 'CPU', values: points.map(({ cpuUsage }) => cpuUsage) },
          { label: labels.memory, values: points.map(({ memoryUsage }) => memoryUsage) },
          { label: labels.disk, values: points.map(({ diskUsage }) => diskUsage) },
        ],
      },
      {
        title: `系统负载（${cores} 核）`,
        format: loadText,
        firstColour: 3,
        lines: [{ label: '1 分钟平均', values: points.map(({ load1 }) => load1) }],
      },
    ],
  }
}
