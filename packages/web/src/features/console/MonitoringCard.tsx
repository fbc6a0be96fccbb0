import * as labels from '@vps/shared/labels'
import { usageLevel } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { Activity, RefreshCw, Unplug } from 'lucide-react'
import styled from 'styled-components'
import { failureOf } from '../../api/errors'
import { trpc, type Outputs } from '../../api/trpc'
import { actMessage } from '../../servers/server-act'
import { color, font, media } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Chip } from '../../ui/Chip'
import { PowerChip } from '../../ui/order'
import { Ring } from '../../ui/Ring'
import { Bar, Empty } from '../../ui/states'
import { Mono } from '../../ui/cells'
import { clockTime, Dim } from '../../ui/Time'
import { toast } from '../../ui/toast'
import { usePhone } from '../../ui/use-media'
import { uptimeText, type ConsoleServer } from './server'
import { Trends } from './Trends'

/** In case a pushed report was lost. */
const fallbackLookMs = 30_000

/** CPU, memory and disk as rings, and over time. */
export function MonitoringCard({ server }: { server: ConsoleServer }) {
  const monitoring = trpc.console.monitoring.useQuery({ id: server.id }, { refetchInterval: fallbackLookMs })
  // The specification's offline placeholder with zero usage, beside the reason.
  const shown = monitoring.data ?? (monitoring.isError ? offline : undefined)

  return (
    <Card
      title="系统监控"
      {...(shown?.lastCheckTime ? { note: `更新于 ${clockTime(shown.lastCheckTime)}` } : {})}
      actions={
        <>
          <TestConnection serverId={server.id} onTested={() => void monitoring.refetch()} />
          <Button
            size="sm"
            icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden />}
            busy={monitoring.isFetching && !monitoring.isPending}
            onClick={() => void monitoring.refetch()}
          >
            刷新监控
          </Button>
        </>
      }
    >
      {monitoring.isError && (
        <Failure>
          <Alert tone="warning">{failureOf(text.monitoringReadFailed, monitoring.error)}</Alert>
        </Failure>
      )}
      <Readings shown={shown} ipAddress={server.ipAddress} />
      <Trends serverId={server.id} live={shown} />
    </Card>
  )
}

type Shown = Pick<Outputs['console']['monitoring'], keyof typeof offline>

function TestConnection({ serverId, onTested }: { serverId: string; onTested: () => void }) {
  const test = trpc.console.testConnection.useMutation()

  async function testConnection() {
    try {
      const { sshConnectable, latencyMs } = await test.mutateAsync({ id: serverId })
      if (sshConnectable)
        toast(`SSH 连接正常${latencyMs === null ? '' : `，延迟 ${Math.round(latencyMs)} ms`}`, 'success')
      else toast('SSH 端口没有响应', 'warning')
      onTested()
    } catch (error) {
      toast(actMessage(error), 'error')
    }
  }

  return (
    <Button
      size="sm"
      icon={<Unplug size={14} strokeWidth={1.75} aria-hidden />}
      busy={test.isPending}
      onClick={() => void testConnection()}
    >
      测试连接
    </Button>
  )
}

function Readings({ shown, ipAddress }: { shown: Shown | undefined; ipAddress: string | null }) {
  const side = usePhone() ? 88 : 112
  if (!shown) {
    return (
      <Rings>
        {[1, 2, 3].map((ring) => (
          <Bar key={ring} $width={`${side}px`} $height={side} />
        ))}
      </Rings>
    )
  }
  const figures = [
    { label: 'CPU', percent: shown.cpuUsage },
    { label: labels.memory, percent: shown.memoryUsage },
    { label: labels.disk, percent: shown.diskUsage },
  ]
  if (figures.every(({ percent }) => percent === null)) {
    return (
      <Empty icon={Activity} title={text.noMonitoring}>
        服务器开机并上报后，这里会显示实时数据。
      </Empty>
    )
  }
  return (
    <Columns>
      <Rings>
        {figures.map(({ label, percent }) => (
          <Ring key={label} label={label} percent={percent} level={usageLevel(percent ?? 0)} side={side} />
        ))}
      </Rings>
      <ReadingFacts shown={shown} ipAddress={ipAddress} />
    </Columns>
  )
}

function ReadingFacts({ shown, ipAddress }: { shown: Shown; ipAddress: string | null }) {
  return (
    <Facts>
      <dt>运行状态</dt>
      <dd>
        <PowerChip power={shown.power} />
      </dd>
      <dt>SSH 连接</dt>
      <dd>
        {shown.sshConnectable === null ? (
          <Dim>尚未测试</Dim>
        ) : (
          <Chip tone={shown.sshConnectable ? 'success' : 'warning'}>{shown.sshConnectable ? '可连接' : '无响应'}</Chip>
        )}
      </dd>
      <dt>{labels.uptime}</dt>
      <dd>{uptimeText(shown.uptime) ?? <Dim>—</Dim>}</dd>
      <dt>服务器 IP</dt>
      <dd>
        <Mono>{ipAddress ?? '—'}</Mono>
      </dd>
    </Facts>
  )
}

const offline = {
  power: 'off' as const,
  cpuUsage: 0,
  memoryUsage: 0,
  diskUsage: 0,
  sshConnectable: null,
  lastCheckTime: null,
  uptime: null,
}

const Failure = styled.div`
  margin-bottom: 16px;
`

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
  align-items: center;
  gap: 16px 32px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }
`

const Rings = styled.div`
  display: flex;
  justify-content: space-around;
  gap: 16px;

  ${media.phone} {
    gap: 8px;
  }
`

const Facts = styled.dl`
  display: grid;
  grid-template-columns: 88px minmax(0, 1fr) 88px minmax(0, 1fr);
  align-items: center;
  gap: 16px 12px;

  dt {
    color: ${color.text2};
  }

  dd {
    min-width: 0;
    ${font.numbers}
  }

  ${media.phone} {
    grid-template-columns: 88px minmax(0, 1fr);
    gap: 10px 12px;
  }
`
