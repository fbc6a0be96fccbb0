import * as labels from '@vps/shared/labels'
import { overallText, type OverallState } from '@vps/shared/status'
import type { StatusView } from '@vps/shared/status.contract'
import { shanghaiMinute } from '@vps/shared/time'
import { CircleAlert, CircleCheck, CircleHelp, Rss, type LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import styled from 'styled-components'
import { ServiceDays } from '../../about/ServiceDays'
import { trpc } from '../../api/trpc'
import { color, font, media, radius } from '../../theme/tokens'
import { Card, Panel } from '../../ui/Card'
import { Page } from '../../ui/Page'
import { Bar, Failed, Loading } from '../../ui/states'
import { Incidents } from './Incidents'
import { ServiceRow } from './ServiceRow'

const everyMs = 60_000

/** 服务状态. */
export default function StatusPage() {
  const status = trpc.status.get.useQuery(undefined, { refetchInterval: everyMs })
  return (
    <Page
      title={labels.serviceStatus}
      width="form"
      refresh={{ updatedAt: status.dataUpdatedAt, busy: status.isFetching, run: () => void status.refetch() }}
    >
      {status.data ? (
        <Status status={status.data} />
      ) : status.isError ? (
        <Panel>
          <Failed title="加载服务状态失败" error={status.error} onRetry={() => void status.refetch()} />
        </Panel>
      ) : (
        <Loading label="正在加载服务状态">
          <Parts>
            <Bar $height={196} />
            <Bar $height={360} />
          </Parts>
        </Loading>
      )}
    </Page>
  )
}

function Status({ status }: { status: StatusView }) {
  const { days, services, incidents } = status
  // A link of the feed names an incident, which stands here only now.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
  return (
    <Parts>
      <Overall status={status} />
      {services.length > 0 && (
        <Card title={labels.service} note={`近 ${days.length} 天，每分钟检查一次`}>
          <Services>
            {services.map((service) => (
              <ServiceRow key={service.key} service={service} days={days} />
            ))}
          </Services>
        </Card>
      )}
      <Card
        title={labels.incidents}
        actions={
          <Feed href="/status/feed.xml">
            <Rss size={14} strokeWidth={2} aria-hidden />
            {labels.incidentFeed}
          </Feed>
        }
      >
        <Incidents incidents={incidents} />
      </Card>
    </Parts>
  )
}

const icons: Record<OverallState, LucideIcon> = {
  good: CircleCheck,
  partly: CircleAlert,
  all: CircleAlert,
  unknown: CircleHelp,
}
const tones: Record<OverallState, string> = {
  good: color.lamp,
  partly: color.lampDim,
  all: color.lampOut,
  unknown: color.onNight2,
}

function Overall({ status: { overall, at, services } }: { status: StatusView }) {
  const Icon = icons[overall]
  return (
    <Night>
      <Said role="status">
        <Icon size={32} strokeWidth={1.75} color={tones[overall]} aria-hidden />
        <div>
          <b>{overallText({ overall, services })}</b>
          <p>
            {at === null
              ? '开始检查后，这里会显示每项服务的状态。'
              : `${shanghaiMinute(new Date(at))} 检查（北京时间）`}
          </p>
        </div>
      </Said>
      <ServiceDays rows={3} services={services} />
    </Night>
  )
}

const Parts = styled.div`
  display: grid;
  gap: 16px;
`

const Night = styled.div`
  display: grid;
  gap: 20px;
  padding: 24px;
  border-radius: ${radius.dialog};
  background: ${color.night};
  color: ${color.onNight};

  ${media.phone} {
    padding: 16px;
  }
`

const Said = styled.div`
  display: flex;
  align-items: center;
  gap: 16px;

  svg {
    flex: none;
  }

  b {
    ${font.xl}
  }

  p {
    ${font.sm}
    ${font.numbers}
    color: ${color.onNight2};
  }

  ${media.phone} {
    b {
      ${font.lg}
    }
  }
`

const Services = styled.ul`
  > li + li {
    margin-top: 20px;
    padding-top: 20px;
    border-top: 1px solid ${color.line};
  }
`

const Feed = styled.a`
  display: inline-flex;
  align-items: center;
  gap: 6px;
  min-height: 28px;
  ${font.sm}

  ${media.phone} {
    min-height: 44px;
  }
`
