import type { HostView } from '@vps/shared/hosts.contract'
import { metricRanges, type MetricRange } from '@vps/shared/servers'
import { useMemo, useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { color, font } from '../../../theme/tokens'
import { Dialog } from '../../../ui/Dialog'
import { RangeCharts, RangeChoice } from '../../../ui/RangeCharts'
import { dateTimeText } from '../../../ui/Time'
import { AgentTag } from '../parts/AgentTag'
import { chartsOf } from './load-charts'

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
