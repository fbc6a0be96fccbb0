import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { Disc3 } from 'lucide-react'
import styled from 'styled-components'
import { actReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { color, font, media } from '../../theme/tokens'
import { useFocusBeside } from '../../ui/focus-beside'
import { dateTimeText } from '../../ui/Time'
import { ReasonButton } from '../../ui/Tip'
import type { Kept } from './console-parts'
import { RemoteButton } from './RemoteButton'
import { EjectIso } from './IsoQuestions'
import { StateBox, StateHead } from './StateBox'

interface Props {
  server: ConsoleServer
  asking: Kept<boolean>
}

/** The question stays until it is answered, though the disc is out by then. */
export default function IsoState({ server, asking: [ejecting, setEjecting] }: Props) {
  const { inserted } = server.iso
  return (
    <>
      {inserted && <Inserted server={server} inserted={inserted} onEject={() => setEjecting(true)} />}
      {ejecting && <EjectIso server={server} onClose={() => setEjecting(false)} />}
    </>
  )
}

interface InsertedProps {
  server: ConsoleServer
  inserted: NonNullable<ConsoleServer['iso']['inserted']>
  onEject: () => void
}

/** Loud: a restart may not come from the disk, and the disc does not stay for ever. */
function Inserted({ server, inserted: { name, boots, until }, onEject }: InsertedProps) {
  // What asks for it goes once it is done.
  useFocusBeside()
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
          <ReasonButton tone="primary" reason={actReason(server, 'ejectIso')} onClick={onEject}>
            {verbs.ejectIso}
          </ReasonButton>
        </Acts>
      </StateHead>
      <Told>
        {boots
          ? '每次重启都先从光盘启动。安装在远程连接的屏幕中进行；完成后先弹出光盘再重启，即从磁盘启动。'
          : '重启仍从磁盘启动。在系统中挂载光盘即可读取，通常是 /dev/sr0。'}
      </Told>
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
