import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import styled from 'styled-components'
import { color, font, radius } from '../theme/tokens'
import { Button } from '../ui/Button'
import { copyText } from '../ui/copy'
import { Dialog } from '../ui/Dialog'
import { Facts } from '../ui/Facts'
import { sshCommand } from '../ui/ssh'

type Reachable = Pick<OrderView, 'serverName' | 'ipAddress' | 'username' | 'sshPort'>

/** How to reach a server by SSH. */
export function ConnectDialog({ server, onClose }: { server: Reachable; onClose: () => void }) {
  const command = server.ipAddress && sshCommand(server.username, server.ipAddress, server.sshPort)
  return (
    <Dialog
      title={`连接 ${server.serverName}`}
      open
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.close}</Button>
          {command && (
            <Button tone="primary" onClick={() => void copyText(command, text.sshCopied)}>
              {verbs.copyCommand}
            </Button>
          )}
        </>
      }
    >
      <p>在终端中运行以下命令，输入服务器密码即可登录。</p>
      <Command>{command ?? text.noAddressYet}</Command>
      <Facts
        facts={[
          [labels.ipAddress, server.ipAddress, 'mono'],
          [labels.sshPort, server.sshPort, 'mono'],
          [labels.username, server.username, 'mono'],
        ]}
      />
    </Dialog>
  )
}

const Command = styled.pre`
  margin: 12px 0;
  padding: 12px 16px;
  border-radius: ${radius.control};
  background: ${color.sunken};
  font-family: ${font.family.mono};
  white-space: pre-wrap;
  overflow-wrap: anywhere;
`
