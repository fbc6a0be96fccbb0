import { alertAdvice } from '@vps/shared/alerts'
import * as labels from '@vps/shared/labels'
import { isEmulated } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import { metricRanges, type MetricRange } from '@vps/shared/servers'
import { lazy, Suspense, useMemo, useState } from 'react'
import styled from 'styled-components'
import { failureOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { color, font, media } from '../../../theme/tokens'
import { Alert } from '../../../ui/Alert'
import { Card } from '../../../ui/Card'
import { Facts } from '../../../ui/Facts'
import { RangeCharts, RangeChoice } from '../../../ui/RangeCharts'
import { Bar } from '../../../ui/states'
import { Time } from '../../../ui/Time'
import { Used } from '../parts/Meter'
import { forecastOf, shareKinds, sharesOf } from './host-room'
import { chartsOf } from './load-charts'

const LostOrders = lazy(() => import('./LostOrders'))

/** How busy it is, and how long its room lasts. */
export function HostOverview({ host }: { host: HostView }) {
  const refused = host.trouble?.kinds.find((kind) => kind === 'outdated-agent' || kind === 'newer-agent')
  return (
    <Cards>
      {isEmulated(host) && (
        <Wide>
          <Alert tone="warning">
            这台宿主机没有可用的硬件虚拟化（KVM），其上的虚拟机由软件模拟，会慢很多。请在 BIOS 中开启虚拟化，确认
            /dev/kvm 可用，然后重启代理。
          </Alert>
        </Wide>
      )}
      {(refused !== undefined || isSilent(host)) && (
        <Wide>
          <Alert tone="error">{alertAdvice({ finding: refused ?? null })}</Alert>
        </Wide>
      )}
      {host.status === 'LOST' && (
        <Suspense fallback={null}>
          <LostOrders host={host.id} />
        </Suspense>
      )}
      <Load host={host} />
      <Room host={host} />
      <Card title={labels.host}>
        <Facts
          facts={[
            ['虚拟化', [host.hypervisor, host.hypervisorVersion].filter(Boolean).join(' ') || null],
            [labels.agentVersion, host.agentVersion],
            [labels.lastHeard, <Time key="heard" at={host.lastSeenAt} />],
            [labels.serverGroup, namesOf(host.groups)],
            [labels.ipPool, namesOf(host.pools)],
            [labels.bridge, host.bridge ?? '代理的默认值', host.bridge ? 'mono' : undefined],
          ]}
        />
      </Card>
    </Cards>
  )
}

/** As it is mailed of. */
const isSilent = ({ alive, lastSeenAt, status }: HostView) =>
  !alive && lastSeenAt !== null && !['MAINTENANCE', 'LOST', 'RETIRED'].includes(status)

const namesOf = (things: { name: string }[]) => things.map(({ name }) => name).join('、') || null

function Load({ host }: { host: HostView }) {
  const [range, setRange] = useState<MetricRange>('day')
  const load = trpc.hosts.load.useQuery({ id: host.id, range }, { placeholderData: (old) => old })
  const { times, charts } = useMemo(() => chartsOf(load.data?.points ?? [], host.cpuCores), [load.data, host.cpuCores])
  return (
    <Whole
      title="负载"
      actions={<RangeChoice name="host-load-range" ranges={metricRanges} value={range} onChange={setRange} />}
    >
      <RangeCharts
        times={times}
        charts={charts}
        read={load}
        failed="负载读取失败"
        few="这段时间内没有足够的数据。宿主机的代理在线时每分钟记录一次。"
      />
    </Whole>
  )
}

function Room({ host }: { host: HostView }) {
  const growth = trpc.hosts.growth.useQuery({ id: host.id })
  const shares = sharesOf(host)
  const { used, free } = host.addresses
  return (
    <Card title="容量" note="CPU 含超售，地址为所用 IP 池中的">
      <Shares>
        {shareKinds.map((kind) => (
          <div key={kind}>
            <h3>{shares[kind].label}</h3>
            <Used {...shares[kind]} label={`已分配${shares[kind].label}`} />
          </div>
        ))}
        <div>
          <h3>{labels.address}</h3>
          <Used label="已用地址" used={used} total={used + free} unit={labels.piecesUnit} />
        </div>
      </Shares>
      <Forecast>
        {growth.data !== undefined ? (
          forecastOf(host, growth.data)
        ) : growth.isError ? (
          failureOf('预计读取失败', growth.error)
        ) : (
          <Bar $height={20} />
        )}
      </Forecast>
    </Card>
  )
}

const Cards = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }

  ${media.phone} {
    gap: 12px;
  }
`

const Whole = styled(Card)`
  grid-column: 1 / -1;
`

const Wide = styled.div`
  grid-column: 1 / -1;
`

const Shares = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 20px 32px;

  h3 {
    margin: 0 0 6px;
    ${font.sm}
    color: ${color.text2};
  }

  ${media.phone} {
    gap: 16px;
  }
`

const Forecast = styled.p`
  margin: 20px 0 0;
  padding-top: 16px;
  border-top: 1px solid ${color.line};
  ${font.sm}
  ${font.numbers}
  color: ${color.text2};
`
