import * as labels from '@vps/shared/labels'
import type { LatencyView } from '@vps/shared/latency.contract'
import type { RangeChart } from '../../../ui/RangeCharts'
import { countText } from './figure-texts'

/** Seconds from one on. */
export const msText = (ms: number | null) => {
  if (ms === null) return '—'
  return ms < 1000 ? `${ms > 0 && ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} 秒`
}

export function chartsOf(points: LatencyView['points']): { times: string[]; charts: RangeChart[] } {
  return {
    times: points.map(({ at }) => at),
    charts: [
      {
        title: labels.latency,
        format: msText,
        lines: [
          { label: 'p50', values: points.map(({ p50Ms }) => p50Ms) },
          { label: 'p95', values: points.map(({ p95Ms }) => p95Ms) },
        ],
      },
      {
        title: '请求数',
        format: countText,
        firstColour: 4,
        lines: [{ label: '请求', values: points.map(({ requests }) => requests) }],
      },
    ],
  }
}
