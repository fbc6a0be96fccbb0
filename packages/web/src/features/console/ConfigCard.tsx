import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import type { ReactNode } from 'react'
import styled from 'styled-components'
import { renewReason } from '../../checkout/renew-reason'
import { upgradeReason } from '../../checkout/upgrade-reason'
import { color, font, media } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Expiry, OrderChip, powerWords } from '../../ui/order'
import { Mono } from '../../ui/cells'
import { Dim, Time } from '../../ui/Time'
import { CopiedText } from '../../ui/CopiedText'
import { ReasonButton } from '../../ui/Tip'
import { uptimeText, type ConsoleServer } from '../../servers/console-server'
import type { OnUpgrade } from './console-parts'
import { useOwn } from './use-own'

type Fact = [label: string, value: ReactNode]

interface Props {
  server: ConsoleServer
  onRenew: () => void
  onUpgrade: OnUpgrade
}

/** What the server is. */
export function ConfigCard(props: Props) {
  const { server } = props
  const columns: Fact[][] = [
    [
      [
        labels.orderNumber,
        server.orderNumber && <CopiedText key="order" text={server.orderNumber} what={labels.orderNumber} />,
      ],
      [labels.ipAddress, server.ipAddress && <CopiedText key="ip" text={server.ipAddress} what={labels.ipAddress} />],
      [labels.sshPort, <Mono key="port">{server.sshPort}</Mono>],
      ['服务器状态', powerWords[server.power][0]],
    ],
    [
      [labels.operatingSystem, server.osName && `${server.osName} ${server.osVersion ?? ''}`],
      ['CPU核心', <Unit key="cpu" figure={server.cpuCores} unit={labels.cores} />],
      [labels.memory, <Unit key="memory" figure={server.memoryGb} unit="GB" />],
      [labels.storage, <Unit key="storage" figure={server.storageGb} unit="GB" />],
      [labels.serverGroup, server.groupName],
    ],
    [
      [labels.diskType, server.diskType],
      [labels.networkSpeed, server.networkSpeed],
      [labels.bandwidth, <Unit key="bandwidth" figure={server.bandwidthMbps} unit="Mbps" />],
      ['SSH访问', server.sshAccess ? '已启用' : states.switchedOff],
      [labels.username, <Mono key="user">{server.username}</Mono>],
    ],
    [
      [labels.expiresAt, <Expiry key="expiry" inline at={server.expiryDate} />],
      [labels.createdAt, <Time key="created" at={server.createTime} />],
      ['最后更新', <Time key="updated" at={server.lastUpdate} />],
      [labels.uptime, uptimeText(server.uptime)],
    ],
  ]
  return (
    <Card title="服务器配置" note={<OrderChip status={server.order.status} />} actions={<OrderActs {...props} />}>
      <Columns>
        {columns.map((facts, i) => (
          <dl key={i}>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value || <Dim>—</Dim>}</dd>
              </div>
            ))}
          </dl>
        ))}
      </Columns>
    </Card>
  )
}

/** What is bought is changed where it is looked at; of a suspended one, its state's notice offers what can be done. */
function OrderActs({ server: { order }, onRenew, onUpgrade }: Props) {
  const { own, orderHref } = useOwn(order)
  return (
    <>
      {order.status !== 'SUSPENDED' && (
        <ReasonButton size="sm" reason={renewReason(order)} onClick={onRenew}>
          {verbs.renew}
        </ReasonButton>
      )}
      {own && (
        <ReasonButton size="sm" reason={upgradeReason(order)} onClick={() => onUpgrade('plan')}>
          {verbs.upgrade}
        </ReasonButton>
      )}
      {order.suspendReason !== 'admin' && (
        <ButtonLink size="sm" href={orderHref}>
          {verbs.viewOrder}
        </ButtonLink>
      )}
    </>
  )
}

function Unit({ figure, unit }: { figure: number; unit: string }) {
  return (
    <>
      {figure} <Dim>{unit}</Dim>
    </>
  )
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: 0 32px;

  dl > div {
    display: grid;
    grid-template-columns: 80px minmax(0, 1fr);
    gap: 8px;
    align-items: center;
    min-height: 36px;
  }

  dt {
    color: ${color.text2};
  }

  dd {
    min-width: 0;
    overflow-wrap: anywhere;
    ${font.numbers}
  }

  @media (max-width: 1199px) {
    grid-template-columns: 1fr 1fr;
  }

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`
