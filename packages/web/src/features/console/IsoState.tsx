import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { Disc3 } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { actReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { color, font, media } from '../../theme/tokens'
import { dateTimeText } from '../../ui/Time'
import { ReasonButton } from '../../ui/Tip'
import { RemoteButton } from './RemoteButton'
import { EjectIso } from './IsoQuestions'
import { StateBox, StateHead } from './StateBox'

interface Props {
  server: ConsoleServer
  inserted: NonNullable<ConsoleServer['iso']['inserted']>
}

/** Loud: a restart may not come from the disk, and the disc does not stay for ever. */
export default function IsoState({ server, inserted }: Props) {
  const [ejecting, setEjecting] = useState(false)
  const { name, boots, until } = inserted
  return (
    <StateBox aria-label={labels.opticalDrive}>
      <StateHead>
        <Disc3 size={20} strokeWidth={1.75} aria-hidden />
        <div>
          <h2>光驱中有光盘：{name}</h2>
          <small>{dateTimeText(until)} 自动弹出</small>
        </div>
        <Acts>
          <RemoteButton server={server} />
          <ReasonButton tone="primary" reason={actReason(server, 'ejectIso')} onClick={() => setEjecting(true)}>
            {verbs.ejectIso}
          </ReasonButton>
        </Acts>
      </StateHead>
      <Told>
        {boots
          ? '每次重启都先从光盘启动。安装在远程连接的屏幕中进行；完成后先弹出光盘再重启，即从磁盘启动。'
          : '重启仍从磁盘启动。在系统中挂载光盘即可读取，通常是 /dev/sr0。'}
      </Told>
      {ejecting && <EjectIso server={server} onClose={() => setEjecting(false)} />}
    </StateBox>
  )
}

const Acts = styled.span`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;

  ${media.phone} {
    > * {
      flex: 1;
    }
  }
`

const Told = styled.p`
  margin-top: 12px;
  ${font.sm}
  color: ${color.text};
`
