import * as labels from '@vps/shared/labels'
import { forwardsOf } from '@vps/shared/nat'
import type { ConsoleServer } from '../../servers/console-server'
import { Card } from '../../ui/Card'
import { Mono } from '../../ui/cells'
import type { Column } from '../../ui/column'
import { Table } from '../../ui/Table'

interface Line {
  outside: string
  machine: string
  protocol: string
}

const columns: Column<Line>[] = [
  { key: 'outside', head: '外部端口', phone: 'title', cell: ({ outside }) => <Mono>{outside}</Mono> },
  { key: 'machine', head: '服务器端口', cell: ({ machine }) => machine },
  { key: 'protocol', head: labels.protocol, phone: 'chip', cell: ({ protocol }) => protocol },
]

/** Which shared ports lead where (decision 0116). */
export function ForwardedPortsCard({ server }: { server: ConsoleServer }) {
  return (
    <Card
      title={labels.forwardedPorts}
      note={`与其他服务器共享 ${server.ipAddress}，以下外部端口属于这台服务器；防火墙规则填写服务器端口`}
    >
      <Table label={labels.forwardedPorts} columns={columns} rows={linesOf(server)} rowKey={({ outside }) => outside} />
    </Card>
  )
}

function linesOf({ forwarded, machineSshPort }: ConsoleServer): Line[] {
  return forwarded.flatMap(({ address, firstPort, ports }) =>
    forwardsOf({ firstPort, ports }, machineSshPort).map(({ from, to, machinePort, tcpOnly }) => ({
      outside: from === to ? String(from) : `${from}–${to}`,
      machine:
        (machinePort === 'same' ? '原样转发' : `${machinePort}（SSH）`) + (forwarded.length > 1 ? ` · ${address}` : ''),
      protocol: tcpOnly ? 'TCP' : 'TCP、UDP',
    })),
  )
}
