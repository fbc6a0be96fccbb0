import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { ImageOnHost, ImageView } from '@vps/shared/images.contract'
import styled from 'styled-components'
import { color, font } from '../../../theme/tokens'
import { Button } from '../../../ui/Button'
import { Chip, Tag } from '../../../ui/Chip'
import { Dialog } from '../../../ui/Dialog'
import { NameButton } from '../../../ui/cells'
import { Dim } from '../../../ui/Time'
import { AgentTag } from '../parts/AgentTag'
import { HostLink } from '../parts/links'
import { Meter } from '../parts/Meter'
import { bytesText } from '../../../ui/bytes-text'
import { isMoving, percentText, presenceText, presenceTones, presenceWords, shareOf } from './image-words'
import { byNeed } from './presence-order'

const shown = 2

/** How many hosts have it, and what goes on. */
export function Presence({ image, onOpen }: { image: ImageView; onOpen: () => void }) {
  const { hosts } = image
  if (hosts.length === 0) return <Dim>尚无宿主机</Dim>
  const ready = hosts.filter(({ status }) => status === 'ready').length
  const readiness = `${ready} / ${hosts.length} 台已就绪`
  const moving = byNeed(hosts).filter(
    ({ status }) => status === 'unbootable' || ['failed', 'running', 'checking', 'no-uefi'].includes(status),
  )
  return (
    <Stack>
      <Opener aria-label={`${readiness}，查看 ${image.osName} ${image.osVersion} 在各宿主机上的情况`} onClick={onOpen}>
        {readiness}
      </Opener>
      {moving.slice(0, shown).map((host) => (
        <Moving key={host.hostId} host={host} />
      ))}
      {moving.length > shown && (
        <small>
          另有 {moving.length - shown} {labels.machinesUnit}
        </small>
      )}
      {ready === 0 && moving.length === 0 && (
        <span>
          <Tag $tone="warning">{image.url && image.isActive ? '等待宿主机下载' : '没有宿主机拥有此文件'}</Tag>
        </span>
      )}
    </Stack>
  )
}

function Moving({ host }: { host: ImageOnHost }) {
  const share = host.status === 'running' ? shareOf(host) : null
  return (
    <MovingLine>
      <span>{host.hostName}</span>
      {share === null ? (
        <Chip tone={presenceTones[host.status]} busy={isMoving(host)}>
          {presenceText(host)}
        </Chip>
      ) : (
        <Share>
          <Meter label={`${host.hostName} ${presenceWords.running}`} share={share} tone="primary" />
          <span>{percentText(share)}</span>
        </Share>
      )}
    </MovingLine>
  )
}

/** Every host's way to it. */
export function PresenceDialog({ image, onClose }: { image: ImageView; onClose: () => void }) {
  return (
    <Dialog
      title={`${image.osName} ${image.osVersion} 在宿主机上`}
      open
      width={560}
      onClose={onClose}
      footer={<Button onClick={onClose}>{verbs.close}</Button>}
    >
      <Note>
        {image.url === null
          ? '此镜像没有下载地址，需要把文件放到宿主机的镜像目录，代理会在 30 秒内报告。'
          : image.isActive
            ? '各宿主机的代理自动下载，一次一个；失败后会自动重试，间隔逐渐加长，最长 10 分钟。'
            : '镜像已停用，宿主机不再下载。'}
      </Note>
      <Hosts aria-label={labels.host}>
        {byNeed(image.hosts).map((host) => (
          <HostLine key={host.hostId} host={host} />
        ))}
      </Hosts>
    </Dialog>
  )
}

function HostLine({ host }: { host: ImageOnHost }) {
  const { status, bytes, totalBytes } = host
  const share = status === 'running' ? shareOf(host) : null
  return (
    <li>
      <Line>
        <span>
          <HostLink id={host.hostId} name={host.hostName} /> {!host.alive && <AgentTag host={host} />}
        </span>
        <Chip tone={presenceTones[status]} busy={isMoving(host)}>
          {presenceText(host)}
        </Chip>
      </Line>
      {status === 'running' && (
        <>
          {share !== null && <Meter label={`${host.hostName} 下载进度`} share={share} tone="primary" />}
          <small>
            {bytesText(bytes)}
            {totalBytes !== null && ` / ${bytesText(totalBytes)}`}
          </small>
        </>
      )}
      {host.error !== null && <Reason>{host.error}</Reason>}
    </li>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 4px;
  padding: 4px 0;

  > small {
    ${font.xs}
    color: ${color.text3};
  }
`

/* In a phone's card a fact, not the card's name. */
const Opener = styled(NameButton)`
  && {
    ${font.sm}
    ${font.numbers}
    font-weight: 400;
  }
`

const MovingLine = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 2px 12px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text2};

  > span:first-child {
    min-width: 96px;
  }
`

const Share = styled.span`
  display: grid;
  grid-template-columns: 96px auto;
  align-items: center;
  gap: 8px;
`

const Note = styled.p`
  margin-bottom: 12px;
  color: ${color.text2};
`

const Hosts = styled.ul`
  li {
    display: grid;
    gap: 6px;
    padding: 10px 0;
    border-top: 1px solid ${color.line};
  }

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }
`

const Line = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
  overflow-wrap: anywhere;
  ${font.numbers}
`

const Reason = styled.div`
  ${font.xs}
  color: ${color.error.text};
  overflow-wrap: anywhere;
`
