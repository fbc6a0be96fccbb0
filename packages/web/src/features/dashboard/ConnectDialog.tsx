import type { OrderView } from '@vps/shared/orders.contract'
import { text } from '@vps/shared/text'
import styled from 'styled-components'
import { color, font, radius } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { copyText } from '../../ui/copy'
import { Dialog } from '../../ui/Dialog'
import { Facts } from '../../ui/Facts'
import { sshCommand } from '../../ui/ssh'

/** How to reach a server by SSH. */
export function ConnectDialog({ order, onClose }: { order: OrderView; onClose: () => void }) {
  const command = order.ipAddress && sshCommand(order.username, order.ipAddress, order.sshPort)
  return (
    <Dialog
      title={`连接 ${order.serverName}`}
      open
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          {command && (
            <Button tone="primary" onClick={() => void copyText(command, text.sshCopied)}>
              复制命令
            </Button>
          )}
        </>
      }
    >
      <p>在终端中运行以下命令，输入服务器密码即可登录。</p>
      <Command>{command ?? '服务器还没有地址'}</Command>
      <Facts
        facts={[
          ['IP地址', order.ipAddress, 'mono'],
          ['SSH端口', order.sshPort, 'mono'],
          ['用户名', order.username, 'mono'],
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
