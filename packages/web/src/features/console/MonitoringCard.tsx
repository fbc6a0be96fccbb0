import * as labels from '@vps/shared/labels'
import { usageLevel } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { Activity, RefreshCw } from 'lucide-react'
import styled from 'styled-components'
import { failureOf } from '../../api/errors'
import type { Outputs } from '../../api/trpc'
import { color, font, media } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Chip } from '../../ui/Chip'
import { Ring } from '../../ui/Ring'
import { Spark } from '../../ui/Spark'
import { Bar, Empty } from '../../ui/states'
import { clockTime } from '../../ui/Time'
import { usePhone } from '../../theme/use-media'
import type { ConsoleServer } from '../../servers/console-server'
import { TestConnection } from './TestConnection'
import { usePressed } from '../../ui/use-pressed'
import { useMonitoring } from './use-monitoring'

/** Each with its last hour. */
export function MonitoringCard({ server }: { server: ConsoleServer }) {
  const monitoring = useMonitoring(server.id)
  const reading = usePressed(monitoring.refetch)
  // The specification's offline placeholder, beside the reason.
  const shown = monitoring.data ?? (monitoring.isError ? offline : undefined)

  return (
    <Card
      title="系统监控"
      note={<LastTest of={shown} isLogin={server.driver === 'ssh'} />}
      actions={
        <>
          <TestConnection server={server} />
          <Button
            size="sm"
            icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden />}
            busy={reading.busy}
            onClick={reading.press}
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
      <Room>
        <Readings shown={shown} isHeard={server.power !== 'unknown'} />
      </Room>
    </Card>
  )
}

type Shown = Pick<Outputs['console']['monitoring'], keyof typeof offline>

/** `isLogin`: a dedicated server is logged in to, which another password prevents, too. */
function LastTest({ of, isLogin }: { of: Shown | undefined; isLogin: boolean }) {
  const { lastCheckTime = null, sshConnectable: can = null } = of ?? {}
  return (
    <Beside>
      {lastCheckTime && (
        <span>
          {labels.updatedAt} {clockTime(lastCheckTime)}
        </span>
      )}
      {can !== null && (
        <Chip tone={can ? 'success' : 'warning'}>{can ? 'SSH 可连接' : isLogin ? 'SSH 未能登录' : 'SSH 无响应'}</Chip>
      )}
    </Beside>
  )
}

function Readings({ shown, isHeard }: { shown: Shown | undefined; isHeard: boolean }) {
  const side = usePhone() ? 88 : 112
  const figures = [
    { label: 'CPU', of: 'cpuUsage' },
    { label: labels.memory, of: 'memoryUsage' },
    { label: labels.disk, of: 'diskUsage' },
  ] as const
  if (!shown) {
    return (
      <Rings>
        {figures.map(({ label }) => (
          <Bar key={label} $width={`${side}px`} $height={side} />
        ))}
      </Rings>
    )
  }
  if (figures.every(({ of }) => shown[of] === null)) {
    return (
      <Empty icon={Activity} title={text.noMonitoring}>
        {isHeard ? '服务器开机并上报后，这里会显示实时数据。' : '暂时收不到这台服务器的上报，恢复后这里会继续显示。'}
      </Empty>
    )
  }
  return (
    <Rings>
      {figures.map(({ label, of }) => (
        <div key={of}>
          <Ring label={label} percent={shown[of]} level={usageLevel(shown[of] ?? 0)} side={side} />
          {shown.samples.filter((sample) => sample[of] !== null).length > 1 && (
            <Hour>
              <Spark values={shown.samples.map((sample) => sample[of])} />
              <small>最近 1 小时</small>
            </Hour>
          )}
        </div>
      ))}
    </Rings>
  )
}

const offline = {
  cpuUsage: 0,
  memoryUsage: 0,
  diskUsage: 0,
  sshConnectable: null,
  lastCheckTime: null,
  samples: [],
}

const Beside = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 12px;
`

/** As high without figures: nothing moves. */
const Room = styled.div`
  display: grid;
  align-items: center;
  min-height: 160px;

  > [data-empty] {
    min-height: 0;
    padding: 0 16px;
  }
`

const Failure = styled.div`
  margin-bottom: 16px;
`

const Rings = styled.div`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 16px;
  justify-items: center;

  > div {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 24px;
    width: 100%;
    max-width: 340px;
  }

  ${media.narrow} {
    gap: 8px;

    > div {
      display: grid;
      justify-items: center;
      gap: 8px;
    }
  }
`

const Hour = styled.div`
  flex: 1;
  width: 100%;
  min-width: 0;

  small {
    display: block;
    margin-top: 4px;
    ${font.xs}
    color: ${color.text3};
  }

  ${media.narrow} {
    small {
      text-align: center;
    }
  }
`
