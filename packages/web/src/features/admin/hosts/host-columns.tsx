import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { HostView } from '@vps/shared/hosts.contract'
import styled from 'styled-components'
import { Link } from 'wouter'
import { paths } from '../../../paths'
import { font } from '../../../theme/tokens'
import { Button } from '../../../ui/Button'
import { Chip } from '../../../ui/Chip'
import { RowMenu } from '../../../ui/RowMenu'
import { actionsColumn } from '../../../ui/columns'
import { NameButton, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { dateTimeText, Dim } from '../../../ui/Time'
import { nameOf } from '../findings/finding-words'
import { AgentTag } from '../parts/AgentTag'
import { Used } from '../parts/Meter'
import { hostTones, hostWords, troubleWords } from './host-words'
import { heardOnly } from '../../../ui/heard-only'
import { type HostActs, entriesOf } from './host-entries'

/** The columns of the list of hosts, with what can be done in each row. */
export function hostColumns(acts: HostActs): Column<HostView>[] {
  return [
    {
      key: 'name',
      head: labels.name,
      phone: 'title',
      cell: (host) => (
        <TwoLines>
          <NameButton title={host.name} onClick={() => acts.edit(host)}>
            {host.name}
          </NameButton>
          <small>{[host.hypervisor, host.hypervisorVersion].filter(Boolean).join(' ') || '尚未接入'}</small>
        </TwoLines>
      ),
    },
    { key: 'status', head: labels.status, phone: 'chip', cell: (host) => <Status host={host} /> },
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
    { key: 'load', head: '实际使用率', cell: (host) => <Load host={host} onOpen={() => acts.load(host)} /> },
    {
      key: 'servers',
      head: labels.server,
      align: 'right',
      cell: (host) => (
        <TwoLines>
          <span>{host.servers}</span>
          {host.releasing > 0 && <small>{host.releasing} 台释放中</small>}
        </TwoLines>
      ),
    },
    {
      key: 'addresses',
      head: labels.address,
      align: 'right',
      cell: (host) => (
        <TwoLines>
          <span>{host.addresses.used} 个已用</span>
          <small>{host.addresses.free} 个可用</small>
        </TwoLines>
      ),
    },
    {
      key: 'findings',
      head: labels.finding,
      align: 'right',
      cell: (host) => (host.findings > 0 ? <Link href={paths.findings()}>{host.findings}</Link> : 0),
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

const usedColumns: Column<HostView>[] = [
  {
    key: 'cpu',
    head: 'CPU（含超售）',
    cell: (host) => (
      <Used
        label={`${host.name} 已分配 CPU`}
        used={host.usedCpu}
        total={Math.floor(host.cpuCores * host.cpuOvercommit)}
        unit={labels.cores}
      />
    ),
  },
  {
    key: 'memory',
    head: labels.memory,
    cell: (host) => (
      <Used
        label={`${host.name} 已分配内存`}
        used={host.usedMemoryMb / 1024}
        total={Math.max(0, host.memoryMb - host.reservedMemoryMb) / 1024}
        unit="GB"
        digits={1}
      />
    ),
  },
  {
    key: 'disk',
    head: labels.disk,
    cell: (host) => <Used label={`${host.name} 已分配磁盘`} used={host.usedDiskGb} total={host.diskGb} unit="GB" />,
  },
]

function Status({ host: { status, trouble } }: { host: HostView }) {
  return (
    <TwoLines>
      <span>
        <Chip tone={hostTones[status]}>{hostWords[status]}</Chip>
        {trouble && <Chip tone={troubleWords[trouble.level].tone}>{troubleWords[trouble.level].label}</Chip>}
      </span>
      {trouble && (
        <small>
          {trouble.kinds.map((kind) => nameOf({ kind })).join('、')}，自 {dateTimeText(trouble.since)}
        </small>
      )}
    </TwoLines>
  )
}

function Load({ host, onOpen }: { host: HostView; onOpen: () => void }) {
  const figures = [
    ['CPU', host.cpuUsage],
    [labels.memory, host.memoryUsage],
    [labels.disk, host.diskUsage],
  ] as const
  if (figures.every(([, value]) => value === null)) return <Dim>—</Dim>
  return (
    <LoadButton onClick={onOpen}>
      <Act>{`查看 ${host.name} 的负载`}</Act>
      {figures.map(([label, value]) => (
        <span key={label}>
          {label} {value === null ? '—' : `${Math.round(value)}%`}
        </span>
      ))}
    </LoadButton>
  )
}

const Act = styled.span`
  ${heardOnly}
`

const LoadButton = styled(NameButton)`
  && {
    display: grid;
    font-weight: 400;
  }

  ${font.xs}
  ${font.numbers}
`
