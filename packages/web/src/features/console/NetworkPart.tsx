import * as labels from '@vps/shared/labels'
import { isIpv6 } from '@vps/shared/networks'
import * as text from '@vps/shared/text'
import type { MetricSeries } from '@vps/shared/servers.contract'
import { Card } from '../../ui/Card'
import { Facts, type Fact } from '../../ui/Facts'
import { CopiedText } from '../../ui/CopiedText'
import { sshCommand } from '../../ui/ssh'
import { trafficChart } from './metric-charts'
import type { ConsoleServer } from '../../servers/console-server'
import { AddAddress, AddedAddressesCard } from './AddedAddressesCard'
import type { OnUpgrade } from './console-parts'
import { FirewallCard } from './firewall/FirewallCard'
import { ForwardedPortsCard } from './ForwardedPortsCard'
import { ReverseNamesCard } from './ReverseNamesCard'
import { TestConnection } from './TestConnection'
import { Trends } from './Trends'

const chartsOf = (points: MetricSeries['points']) => [trafficChart(points)]

/** Addresses and traffic. */
export function NetworkPart({ server, onUpgrade }: { server: ConsoleServer; onUpgrade: OnUpgrade }) {
  return (
    <>
      <Card
        title="地址与登录"
        actions={
          <>
            {server.driver === 'kvm' && server.forwarded.length === 0 && !isIpv6(server.ipAddress ?? '') && (
              <AddAddress server={server} onUpgrade={onUpgrade} />
            )}
            <TestConnection server={server} />
          </>
        }
      >
        <Facts columns={2} facts={factsOf(server)} />
      </Card>
      {server.forwarded.length > 0 && <ForwardedPortsCard server={server} />}
      {server.addedAddresses.length > 0 && <AddedAddressesCard added={server.addedAddresses} />}
      {server.driver === 'kvm' && <ReverseNamesCard serverId={server.id} />}
      {server.driver === 'kvm' && <FirewallCard server={server} />}
      {/* A dedicated server's is not measured. */}
      {server.driver === 'kvm' && <Trends title="流量趋势" serverId={server.id} chartsOf={chartsOf} />}
    </>
  )
}

function factsOf(server: ConsoleServer): Fact[] {
  const { ipAddresses, ipPrefixes, ipAddress, username, sshPort, bandwidthMbps, networkSpeed } = server
  const command = ipAddress && sshCommand(username, ipAddress, sshPort)
  return [
    ...ipAddresses.map((address, i): Fact => [
      i === 0 ? labels.ipAddress : isIpv6(address) ? labels.ipv6Address : `附加IP ${i}`,
      <CopiedText key={address} text={address} what={address} />,
    ]),
    ...ipPrefixes.map((prefix): Fact => [labels.ipv6Prefix, <CopiedText key={prefix} text={prefix} what={prefix} />]),
    [labels.sshCommand, command ? <CopiedText key="ssh" text={command} what="SSH命令" done={text.sshCopied} /> : null],
    [labels.sshPort, sshPort, 'mono'],
    [labels.username, username, 'mono'],
    [labels.bandwidth, `${bandwidthMbps} Mbps`],
    [labels.networkSpeed, networkSpeed || null],
  ]
}
