import * as labels from '@vps/shared/labels'
import { isoHours } from '@vps/shared/servers'
import * as verbs from '@vps/shared/verbs'
import { Disc3 } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { actReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { color, font } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { useFocusBeside } from '../../ui/focus-beside'
import { ReasonButton } from '../../ui/Tip'
import { InsertIso } from './IsoQuestions'

/** For an empty drive; a disc is told above every part. The question stays until it is answered, though one is in by then. */
export function IsoCard({ server }: { server: ConsoleServer }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      {server.iso.offered && server.iso.inserted === null && <Empty server={server} onInsert={() => setAsking(true)} />}
      {asking && <InsertIso server={server} onClose={() => setAsking(false)} />}
    </>
  )
}

function Empty({ server, onInsert }: { server: ConsoleServer; onInsert: () => void }) {
  // What asks for it goes once it is done.
  useFocusBeside()
  return (
    <Card
      title={labels.opticalDrive}
      note={labels.nothing}
      actions={
        <ReasonButton
          size="sm"
          icon={<Disc3 size={14} strokeWidth={1.75} aria-hidden />}
          reason={actReason(server, 'insertIso')}
          onClick={onInsert}
        >
          {verbs.insertIso}
        </ReasonButton>
      }
    >
      <p>从光盘镜像自行安装系统，或使用其中的工具。安装过程在远程连接的屏幕中进行。</p>
      <Hint>光盘只读，{isoHours} 小时后自动弹出。磁盘的内容只有在您自己安装或修改时才会改变。</Hint>
    </Card>
  )
}

const Hint = styled.p`
  margin-top: 8px;
  ${font.xs}
  color: ${color.text3};
`
