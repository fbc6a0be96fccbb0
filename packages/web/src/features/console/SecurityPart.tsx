import * as labels from '@vps/shared/labels'
import styled from 'styled-components'
import { Link } from 'wouter'
import { paths } from '../../paths'
import { color, font } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { Mono } from '../../ui/cells'
import { Facts, type Fact } from '../../ui/Facts'
import { ProtectionSwitch } from './ProtectionSwitch'
import type { ConsoleServer } from '../../servers/console-server'
import { RescueCard } from './RescueCard'

/** On virtual machines alone. */
const keysFact = (): Fact => [
  labels.sshKeys,
  <Lead key="keys">
    安装和重装系统时写入，比密码更安全。<Link href={paths.profile('keys')}>管理密钥</Link>
  </Lead>,
]

/** What guards the machine. */
export function SecurityPart({ server, onStarted }: { server: ConsoleServer; onStarted: (jobId: string) => void }) {
  return (
    <>
      <Card title="防误操作">
        <ProtectionSwitch server={server} />
        <Hint>开启后不能重装系统、恢复快照和备份，也不能释放服务器，直到再次关闭。开关机和重置密码不受影响。</Hint>
      </Card>
      <Card title="登录方式">
        <Facts
          facts={[
            [labels.username, <Mono key="user">{server.username}</Mono>],
            [
              labels.password,
              <Lead key="password">
                加密保存，每次查看都会记录。<Link href={paths.console(server.order.id)}>查看或重置</Link>
              </Lead>,
            ],
            ...(server.driver === 'kvm' ? [keysFact()] : []),
          ]}
        />
      </Card>
      <RescueCard server={server} onStarted={onStarted} />
    </>
  )
}

const Hint = styled.p`
  margin-top: 8px;
  ${font.xs}
  color: ${color.text3};
`

const Lead = styled.span`
  a {
    color: ${color.primary.text};
    text-decoration: underline;
    text-underline-offset: 3px;
  }
`
