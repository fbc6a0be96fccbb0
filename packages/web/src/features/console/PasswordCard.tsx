import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { machinePasswordFault } from '@vps/shared/password'
import * as text from '@vps/shared/text'
import { Terminal, WandSparkles } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { media } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { copyText } from '../../ui/copy'
import { PasswordField } from '../../ui/Field'
import { sshCommand } from '../../ui/ssh'
import { dateTimeText } from '../../ui/Time'
import { ReasonButton } from '../../ui/Tip'
import type { ConsoleServer } from '../../servers/console-server'
import { actReason } from '../../servers/act-reason'
import { makePassword } from '../../servers/machine-access'
import { ResetPasswordConfirm } from '../../servers/server-questions'
import { CurrentPassword } from './CurrentPassword'
import type { Kept } from './console-parts'

/** The current one, a new one, and the way in. */
export function PasswordCard({
  server,
  onStarted,
  kept: [typed, setTyped],
}: {
  server: ConsoleServer
  onStarted: (jobId: string) => void
  kept: Kept<string>
}) {
  const [asking, setAsking] = useState(false)
  const fault = machinePasswordFault(typed)

  return (
    <Card title="密码管理">
      {server.iso.bootedAt !== null && (
        <Known>
          <Alert tone="warning">
            服务器曾于 {dateTimeText(server.iso.bootedAt)} 从光盘启动。若您由此安装了新的系统，登录用户、密码和 SSH
            端口以您自己设置的为准，这里的不再有效。
          </Alert>
        </Known>
      )}
      <Fields>
        <CurrentPassword serverId={server.id} />
        <PasswordField
          label={labels.newPassword}
          help="至少 8 位，含大小写字母和数字"
          autoComplete="new-password"
          value={typed}
          error={typed && fault ? fault : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Fields>
      <Row>
        <ReasonButton
          tone="primary"
          reason={actReason(server, 'resetPassword') ?? fault}
          onClick={() => setAsking(true)}
        >
          {verbs.resetPassword}
        </ReasonButton>
        <Button
          icon={<WandSparkles size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => setTyped(makePassword(labels.newPassword))}
        >
          {verbs.generatePassword}
        </Button>
        <ReasonButton
          icon={<Terminal size={16} strokeWidth={1.75} aria-hidden />}
          reason={actReason(server, 'connect')}
          onClick={() =>
            void copyText(sshCommand(server.username, server.ipAddress ?? '', server.sshPort), text.sshCopied)
          }
        >
          SSH连接
        </ReasonButton>
      </Row>
      {asking && (
        <ResetPasswordConfirm
          server={server}
          newPassword={typed}
          onStarted={(jobId) => {
            setTyped('')
            onStarted(jobId)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}

const Known = styled.div`
  margin-bottom: 16px;
`

const Fields = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 16px;

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
  margin-top: 16px;

  ${media.phone} {
    > * {
      flex: 1 1 40%;
    }
  }
`
