import { numberText } from '@vps/shared/digits'
import * as labels from '@vps/shared/labels'
import { timedRoutes, type TimedDoor } from '@vps/shared/latency'
import type { LatencyView } from '@vps/shared/latency.contract'
import { useMemo, useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { RangeCharts, RangeChoice } from '../../../ui/RangeCharts'
import { Segments } from '../../../ui/Segments'
import { FigureRow } from './FigureRow'
import { WideCard } from './WideCard'
import { msText, chartsOf } from './latency-charts'

const ranges = ['hour', 'day'] as const
const doorWords: Record<TimedDoor, string> = { web: '网页', rest: 'REST', agent: labels.hostAgent }
const doorOptions = [['all', labels.all] as const, ...timedRoutes.map((door) => [door, doorWords[door]] as const)]

/** 接口延迟. */
export function LatencyCard() {
  const [range, setRange] = useState<LatencyView['range']>('hour')
  const [door, setDoor] = useState<TimedDoor | 'all'>('all')
  const latency = trpc.operations.latency.useQuery(
    { range, ...(door === 'all' ? {} : { door }) },
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
      {(current || !latency.isError) && (
        <FigureRow
          figures={[
            ['当前中位数 (p50)', current && msText(current.p50Ms)],
            ['当前 95% 以内 (p95)', current && msText(current.p95Ms)],
            ['近 2 分钟请求数', current && numberText(current.requests)],
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

const Choices = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
`
