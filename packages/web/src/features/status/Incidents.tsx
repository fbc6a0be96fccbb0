import * as labels from '@vps/shared/labels'
import { incidentStateTexts } from '@vps/shared/status'
import type { IncidentView } from '@vps/shared/status.contract'
import { shanghaiMinute } from '@vps/shared/time'
import { CircleCheck } from 'lucide-react'
import styled from 'styled-components'
import { color, font } from '../../theme/tokens'
import { Chip } from '../../ui/Chip'
import { Empty } from '../../ui/states'
import { Head } from './look'

/** What staff told: what goes on, then what is over, the newest first. */
export function Incidents({ incidents }: { incidents: readonly IncidentView[] }) {
  if (incidents.length === 0)
    return (
      <Empty icon={CircleCheck} title={labels.noIncidents}>
        发生影响服务的事件时，原因、影响范围与处理进展会写在这里。
      </Empty>
    )
  return (
    <List>
      {incidents.map((incident) => (
        <li key={incident.id} id={incident.id}>
          <Incident incident={incident} />
        </li>
      ))}
    </List>
  )
}

function Incident({ incident: { id, title, services, startsAt, endsAt, updates } }: { incident: IncidentView }) {
  const state = updates[0]?.state ?? 'investigating'
  return (
    <article aria-labelledby={`incident-${id}`}>
      <Head>
        <h3 id={`incident-${id}`}>{title}</h3>
        <Chip tone={endsAt === null ? 'warning' : 'neutral'}>{incidentStateTexts[state]}</Chip>
      </Head>
      <Facts>
        <span>
          {labels.affected}：{services.join('、')}
        </span>
        <span>
          {timeText(startsAt)} 至 {endsAt ? timeText(endsAt) : '现在'}
        </span>
      </Facts>
      <ol>
        {updates.map((update) => (
          <li key={update.id}>
            <time dateTime={update.at}>{timeText(update.at)}</time>
            <p>
              <b>{incidentStateTexts[update.state]}</b> {update.body}
            </p>
          </li>
        ))}
      </ol>
    </article>
  )
}

const timeText = (at: string) => shanghaiMinute(new Date(at))

const List = styled.ul`
  > li + li {
    margin-top: 20px;
    padding-top: 20px;
    border-top: 1px solid ${color.line};
  }

  time {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }

  ol {
    margin-top: 12px;
    padding-left: 16px;
    border-left: 2px solid ${color.line};
  }

  ol > li + li {
    margin-top: 12px;
  }

  p {
    ${font.sm}
    color: ${color.text2};
    white-space: pre-line;
    overflow-wrap: anywhere;
  }

  p b {
    margin-right: 4px;
    color: ${color.text};
  }
`

const Facts = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 16px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text3};
`
