import * as labels from '@vps/shared/labels'
import { timedRoutes, type TimedDoor } from '@vps/shared/latency'
import type { LatencyView } from '@vps/shared/latency.contract'
import { useMemo, useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { Bar } from '../../../ui/states'
import { RangeCharts, RangeChoice, type RangeChart } from '../../../ui/RangeCharts'
import { Segments } from '../../../ui/Segments'
import { FigureRow } from './FigureRow'
import { WideCard } from './WideCard'

const ranges = ['hour', 'day'] as const
const doorWords: Record<TimedDoor, string> = { web: '网页', rest: 'REST', agent: labels.hostAgent }
const doorOptions = [['all', labels.all] as const, ...timedRoutes.map((door) => [door, doorWords[door]] as const)]

/** 接口延迟: how quickly the product answers, and how often it is asked. */
export function LatencyCard() {
  const [range, setRange] = useState<LatencyView['range']>('hour')
  const [door, setDoor] = useState<TimedDoor | 'all'>('all')
  const latency = trpc.operations.latency.useQuery(
    { range, ...(door === 'all' ? {} : { door }) },
    // The old range stays until the new one is there.
    { placeholderData: (old) => old },
  )
  const { times, charts } = useMemo(() => chartsOf(latency.data?.points ?? []), [latency.data])
  const current = latency.data?.current

  return (
    <WideCard
      title="接口延迟"
      actions={
        <Choices>
          <Segments label="入口" name="latency-door" value={door} onChange={setDoor} options={doorOptions} />
          <RangeChoice name="latency-range" ranges={ranges} value={range} onChange={setRange} />
        </Choices>
      }
    >
      {!latency.isError && !current && <Bar $height={50} />}
      {current && (
        <FigureRow
          figures={[
            ['当前中位数 (p50)', msText(current.p50Ms)],
            ['当前 95% 以内 (p95)', msText(current.p95Ms)],
            ['近 2 分钟请求数', current.requests.toLocaleString('zh-CN')],
          ]}
        />
      )}
      <RangeCharts
        times={times}
        charts={charts}
        read={latency}
        failed="延迟读取失败"
        few="这段时间内没有足够的请求。"
      />
    </WideCard>
  )
}

const msText = (ms: number | null) => {
  if (ms === null) return '—'
  return ms < 1000 ? `${ms > 0 && ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} 秒`
}
const countText = (count: number) => Math.round(count).toLocaleString('zh-CN')

function chartsOf(points: LatencyView['points']): { times: string[]; charts: RangeChart[] } {
  return {
    times: points.map(({ at }) => at),
    charts: [
      {
        title: '延迟',
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

const Choices = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
`
