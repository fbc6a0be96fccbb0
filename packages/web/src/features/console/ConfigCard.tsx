import { Pencil } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media } from '../../theme/tokens'
import { IconButton } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { CopyButton } from '../../ui/CopyButton'
import { Expiry, OrderChip, PowerChip } from '../../ui/order'
import { Mono } from '../../ui/Table'
import { Dim, Time } from '../../ui/Time'
import { RenameDialog } from './RenameDialog'
import { uptimeText, type ConsoleServer } from './server'

type Fact = [label: string, value: ReactNode]

/** What the server is, in four columns. */
export function ConfigCard({ server, job }: { server: ConsoleServer; job: ReactNode }) {
  const [renaming, setRenaming] = useState(false)
  const columns: Fact[][] = [
    [
      ['订单号', server.orderNumber && <Copied key="order" text={server.orderNumber} what="订单号" />],
      ['IP地址', server.ipAddress && <Copied key="ip" text={server.ipAddress} what="IP地址" />],
      ['SSH端口', <Mono key="port">{server.sshPort}</Mono>],
      ['服务器状态', <PowerChip key="power" power={server.power} observedAt={server.powerObservedAt} />],
    ],
    [
      ['操作系统', server.osName && `${server.osName} ${server.osVersion ?? ''}`],
      ['CPU核心', <Unit key="cpu" figure={server.cpuCores} unit="核" />],
      ['内存', <Unit key="memory" figure={server.memoryGb} unit="GB" />],
      ['存储', <Unit key="storage" figure={server.storageGb} unit="GB" />],
      ['服务器分组', server.groupName],
    ],
    [
      ['磁盘类型', server.diskType],
      ['网络速度', server.networkSpeed],
      ['带宽', <Unit key="bandwidth" figure={server.bandwidthMbps} unit="Mbps" />],
      ['SSH访问', server.sshAccess ? '已启用' : '未启用'],
      ['用户名', <Mono key="user">{server.username}</Mono>],
    ],
    [
      ['到期时间', <Expiry key="expiry" inline at={server.expiryDate} />],
      ['创建时间', <Time key="created" at={server.createTime} />],
      ['最后更新', <Time key="updated" at={server.lastUpdate} />],
      ['运行时间', uptimeText(server.uptime)],
    ],
  ]
  return (
    <Card
      title={
        <Name>
          {server.serverName}
          <IconButton size="sm" label="修改服务器名称" onClick={() => setRenaming(true)}>
            <Pencil size={14} strokeWidth={1.75} />
          </IconButton>
        </Name>
      }
      actions={
        <>
          {job}
          <OrderChip status={server.order.status} />
        </>
      }
    >
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
      {renaming && <RenameDialog server={server} onClose={() => setRenaming(false)} />}
    </Card>
  )
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <Row>
      <Mono>{text}</Mono>
      <CopyButton text={text} label={`复制${what}`} done={`${what}已复制`} />
    </Row>
  )
}

function Unit({ figure, unit }: { figure: number; unit: string }) {
  return (
    <>
      {figure} <Dim>{unit}</Dim>
    </>
  )
}

const Name = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 4px;
  min-width: 0;
  overflow-wrap: anywhere;
`

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

const Row = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 2px;
`
