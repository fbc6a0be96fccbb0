import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import { canMoveHost, type HostStatus } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import { Ellipsis, HardDrive, Plus } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { font } from '../../../theme/tokens'
import { Button, IconButton } from '../../../ui/Button'
import { Chip } from '../../../ui/Chip'
import { Menu, type MenuEntry } from '../../../ui/Menu'
import { NameButton, RowActions, TwoLines, type Column } from '../../../ui/Table'
import { dateTimeText, Dim } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { Conditions } from '../parts/Conditions'
import { ListPage } from '../parts/ListPage'
import { silenceLookMs } from '../../../api/look-again'
import { Used } from '../parts/Meter'
import { AgentTag } from '../parts/AgentTag'
import type { Enrolment } from '../parts/rows'
import { EnrolmentDialog, RenewEnrolment, RevokeToken } from './EnrolmentDialog'
import { HostDialog } from './HostDialog'
import { HostLoad } from './HostLoad'
import { MoveHost } from './MoveHost'
import { nameOf } from '../findings/finding-words'
import { hostMoveWords, hostTones, hostWords, troubleWords } from './host-words'

/** 宿主机. */
export default function HostsPage() {
  return (
    <AdminOnly title={labels.host} denied={operationsDenied}>
      <Hosts />
    </AdminOnly>
  )
}

interface Acts {
  load: (host: HostView) => void
  edit: (host: HostView) => void
  move: (move: { host: HostView; to: HostStatus }) => void
  enrol: (host: HostView) => void
  revoke: (host: HostView) => void
}

function Hosts() {
  const filters = useFilters(['q'] as const)
  const { q } = filters.values
  const hosts = trpc.hosts.list.useQuery(
    { page: filters.page, size: filters.size, ...(q ? { search: q } : {}) },
    { placeholderData: keepPreviousData, refetchInterval: silenceLookMs },
  )
  const [loadOf, setLoadOf] = useState<string | null>(null)
  const [edited, setEdited] = useState<HostView | 'new' | null>(null)
  const [moved, setMoved] = useState<{ host: HostView; to: HostStatus } | null>(null)
  const [renewed, setRenewed] = useState<HostView | null>(null)
  const [revoked, setRevoked] = useState<HostView | null>(null)
  const [enrolment, setEnrolment] = useState<(Enrolment & { name: string }) | null>(null)

  // As it is now, not as it was when the dialog was opened.
  const shown = hosts.data?.content.find(({ id }) => id === loadOf)

  return (
    <ListPage
      title={labels.host}
      what={labels.host}
      wide
      read={hosts}
      filters={filters}
      columns={columnsOf({
        load: ({ id }) => setLoadOf(id),
        edit: setEdited,
        move: setMoved,
        enrol: setRenewed,
        revoke: setRevoked,
      })}
      rowKey={(host) => host.id}
      empty={{ icon: HardDrive, text: '接入一台 KVM 宿主机，服务器会自动安排在上面。' }}
      action={
        <Button
          tone="primary"
          icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          {verbs.enrolHost}
        </Button>
      }
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: labels.name }}
          active={filters.active}
          onReset={filters.reset}
        />
      }
    >
      {edited && (
        <HostDialog
          host={edited === 'new' ? null : edited}
          onEnrol={(made, name) => setEnrolment({ ...made, name })}
          onClose={() => setEdited(null)}
        />
      )}
      {shown && <HostLoad host={shown} onClose={() => setLoadOf(null)} />}
      {moved && <MoveHost {...moved} onClose={() => setMoved(null)} />}
      {renewed && (
        <RenewEnrolment
          host={renewed}
          onEnrol={(made) => setEnrolment({ ...made, name: renewed.name })}
          onClose={() => setRenewed(null)}
        />
      )}
      {revoked && <RevokeToken host={revoked} onClose={() => setRevoked(null)} />}
      {enrolment && <EnrolmentDialog enrolment={enrolment} onClose={() => setEnrolment(null)} />}
    </ListPage>
  )
}

function columnsOf(acts: Acts): Column<HostView>[] {
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
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (host) => (
        <TwoLines>
          <span>
            <Chip tone={hostTones[host.status]}>{hostWords[host.status]}</Chip>
            {host.trouble && (
              <Chip tone={troubleWords[host.trouble.level].tone}>{troubleWords[host.trouble.level].label}</Chip>
            )}
          </span>
          {host.trouble && (
            <small>
              {host.trouble.kinds.map((kind) => nameOf({ kind })).join('、')}，自 {dateTimeText(host.trouble.since)}
            </small>
          )}
        </TwoLines>
      ),
    },
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
    {
      key: 'actions',
      head: labels.actions,
      align: 'right',
      phone: 'actions',
      cell: (host) => (
        <RowActions>
          <Button tone="quiet" size="sm" aria-label={`编辑 ${host.name}`} onClick={() => acts.edit(host)}>
            {verbs.edit}
          </Button>
          <Menu
            label={`${host.name} 的操作`}
            trigger={
              <IconButton label={`${host.name} 的更多操作`} size="sm">
                <Ellipsis size={18} strokeWidth={1.75} />
              </IconButton>
            }
            entries={entriesOf(host, acts)}
          />
        </RowActions>
      ),
    },
  ]
}

function Load({ host, onOpen }: { host: HostView; onOpen: () => void }) {
  const figures = [
    ['CPU', host.cpuUsage],
    [labels.memory, host.memoryUsage],
    [labels.disk, host.diskUsage],
  ] as const
  if (figures.every(([, value]) => value === null)) return <Dim>—</Dim>
  return (
    <LoadButton aria-label={`查看 ${host.name} 的负载`} onClick={onOpen}>
      {figures.map(([label, value]) => (
        <span key={label}>
          {label} {value === null ? '—' : `${Math.round(value)}%`}
        </span>
      ))}
    </LoadButton>
  )
}

const LoadButton = styled(NameButton)`
  && {
    display: grid;
    font-weight: 400;
  }

  ${font.xs}
  ${font.numbers}
`

function entriesOf(host: HostView, acts: Acts): MenuEntry[] {
  const moves = (Object.keys(hostMoveWords) as (keyof typeof hostMoveWords)[]).filter((to) => to !== host.status)
  return [
    { id: 'load', label: verbs.viewLoad, textValue: verbs.viewLoad, onAction: () => acts.load(host) },
    { id: 'jobs', label: verbs.viewJobs, textValue: verbs.viewJobs, href: paths.jobs({ host: host.id }) },
    {
      id: 'enrol',
      label: verbs.renewEnrolment,
      textValue: verbs.renewEnrolment,
      reason: host.status === 'RETIRED' ? text.hostRetired : null,
      onAction: () => acts.enrol(host),
    },
    {
      id: 'revoke',
      label: verbs.revokeToken,
      textValue: verbs.revokeToken,
      danger: true,
      reason: host.status === 'RETIRED' ? text.hostRetired : null,
      onAction: () => acts.revoke(host),
    },
    ...moves.map((to): MenuEntry => {
      const { label, danger } = hostMoveWords[to]
      return {
        id: to,
        label,
        textValue: label,
        danger: danger ?? false,
        reason: canMoveHost(host.status, to) ? null : `${hostWords[host.status]}的宿主机不能${label}`,
        onAction: () => acts.move({ host, to }),
      }
    }),
  ]
}
