import * as labels from '@vps/shared/labels'
import type { HostLoad as Load, HostView } from '@vps/shared/hosts.contract'
import { metricRanges, type MetricRange } from '@vps/shared/servers'
import { useMemo, useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { color, font } from '../../../theme/tokens'
import { Dialog } from '../../../ui/Dialog'
import { RangeCharts, RangeChoice, type RangeChart } from '../../../ui/RangeCharts'
import { dateTimeText } from '../../../ui/Time'
import { AgentTag } from '../parts/AgentTag'

/** 负载: how busy a host was over an hour, a day, a week or a month. */
export function HostLoad({ host, onClose }: { host: HostView; onClose: () => void }) {
  const [range, setRange] = useState<MetricRange>('day')
  const load = trpc.hosts.load.useQuery(
    { id: host.id, range },
    // The old range stays until the new one is there.
    { placeholderData: (old) => old },
  )
  const { times, charts } = useMemo(() => chartsOf(load.data?.points ?? [], host.cpuCores), [load.data, host.cpuCores])

  return (
    <Dialog title={`负载 · ${host.name}`} open width={1040} onClose={onClose}>
      <Head>
        <span>
          <AgentTag host={host} /> {host.lastSeenAt ? `最近 ${dateTimeText(host.lastSeenAt)}` : '还没有连接过'}
        </span>
        <RangeChoice name="host-load-range" ranges={metricRanges} value={range} onChange={setRange} />
      </Head>
      <RangeCharts
        times={times}
        charts={charts}
        read={load}
        failed="负载读取失败"
        few="这段时间内没有足够的数据。宿主机的代理在线时每分钟记录一次。"
      />
    </Dialog>
  )
}

const percentText = (value: number) => `${Math.round(value)}%`
const loadText = (value: number) =>
  value > 0 && value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('zh-CN')

function chartsOf(points: Load['points'], cores: number): { times: string[]; charts: RangeChart[] } {
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

const Head = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  flex-wrap: wrap;
  gap: 8px 16px;
  margin-bottom: 16px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text3};
`
