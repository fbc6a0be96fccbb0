import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { numberText } from '@vps/shared/digits'
import type { HostView } from '@vps/shared/hosts.contract'
import styled from 'styled-components'
import { Link } from 'wouter'
import { paths } from '../../../paths'
import { font } from '../../../theme/tokens'
import { Button } from '../../../ui/Button'
import { RowMenu } from '../../../ui/RowMenu'
import { actionsColumn } from '../../../ui/columns'
import { TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { dateTimeText, Dim } from '../../../ui/Time'
import { AgentTag } from '../parts/AgentTag'
import { Used } from '../parts/Meter'
import { shareKinds, sharesOf } from './host-room'
import { releasingText } from './host-words'
import { HostState, troubleText } from './HostState'
import { heardOnly } from '../../../ui/heard-only'
import { type HostActs, entriesOf } from './host-entries'

/** With what can be done in each row. */
export function hostColumns(acts: HostActs): Column<HostView>[] {
  return [
    {
      key: 'name',
      head: labels.name,
      phone: 'title',
      cell: (host) => (
        <TwoLines>
          <Link href={paths.host(host.id)} title={host.name}>
            {host.name}
          </Link>
          <small title={hypervisorOf(host)}>{hypervisorOf(host)}</small>
        </TwoLines>
      ),
    },
    { key: 'status', head: labels.status, phone: 'chip', cell: (host) => <State host={host} /> },
    {
      key: 'agent',
      head: '代理',
      cell: (host) => (
        <TwoLines>
          <span>
            <AgentTag host={host} /> {host.agentVersion && <Dim>{host.agentVersion}</Dim>}
          </span>
          <small>{host.lastSeenAt ? `最近 ${dateTimeText(host.lastSeenAt)}` : ''}</small>
        </TwoLines>
      ),
    },
    ...usedColumns,
    { key: 'load', head: '实际使用率', cell: (host) => <Load host={host} /> },
    {
      key: 'servers',
      head: labels.server,
      align: 'right',
      cell: (host) => (
        <TwoLines>
          <span>{host.servers}</span>
          <small>{releasingText(host)}</small>
        </TwoLines>
      ),
    },
    {
      key: 'addresses',
      head: labels.address,
      align: 'right',
      cell: (host) => (
        <TwoLines>
          <span>{numberText(host.addresses.used)} 个已用</span>
          <small>{numberText(host.addresses.free)} 个可用</small>
        </TwoLines>
      ),
    },
    {
      key: 'findings',
      head: labels.finding,
      align: 'right',
      cell: (host) => (host.findings > 0 ? <Link href={paths.host(host.id, 'findings')}>{host.findings}</Link> : 0),
    },
    actionsColumn((host) => (
      <>
        <Button tone="quiet" size="sm" aria-label={`编辑 ${host.name}`} onClick={() => acts.edit(host)}>
          {verbs.edit}
        </Button>
        <RowMenu of={host.name} entries={entriesOf(host, acts)} />
      </>
    )),
  ]
}

const heads = { cpu: 'CPU（含超售）', memory: labels.memory, disk: labels.disk }
const usedColumns = shareKinds.map((kind): Column<HostView> => ({
  key: kind,
  head: heads[kind],
  cell: (host) => {
    const share = sharesOf(host)[kind]
    return <Used {...share} label={`${host.name} 已分配${share.label}`} />
  },
}))

function State({ host }: { host: HostView }) {
  return (
    <TwoLines>
      <HostState host={host} />
      {host.trouble && <small>{troubleText(host.trouble)}</small>}
    </TwoLines>
  )
}

const hypervisorOf = ({ hypervisor, hypervisorVersion }: HostView) =>
  [hypervisor, hypervisorVersion].filter(Boolean).join(' ') || '尚未接入'

function Load({ host }: { host: HostView }) {
  const figures = [
    ['CPU', host.cpuUsage],
    [labels.memory, host.memoryUsage],
    [labels.disk, host.diskUsage],
  ] as const
  if (figures.every(([, value]) => value === null)) return <Dim>—</Dim>
  return (
    <LoadLink href={paths.host(host.id)}>
      <Act>{`查看 ${host.name} 的负载`}</Act>
      {figures.map(([label, value]) => (
        <span key={label}>
          {label} {value === null ? '—' : `${Math.round(value)}%`}
        </span>
      ))}
    </LoadLink>
  )
}

const Act = styled.span`
  ${heardOnly}
`

const LoadLink = styled(Link)`
  display: grid;
  justify-self: start;
  ${font.xs}
  ${font.numbers}
`
