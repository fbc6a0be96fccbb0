import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'
import { keepPreviousData } from '@tanstack/react-query'
import { testFailureNames } from '@vps/shared/dedicated'
import type { AdminServer } from '@vps/shared/servers.contract'
import { Server } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { color } from '../../../theme/tokens'
import { paths } from '../../../paths'
import { ButtonLink } from '../../../ui/Button'
import { Tag } from '../../../ui/Chip'
import { PowerChip } from '../../../ui/order'
import { Select } from '../../../ui/Select'
import { Mono, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { ReasonButton } from '../../../ui/Tip'
import { Dim } from '../../../ui/Time'
import { Opening } from '../../../ui/Opening'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly } from '../parts/AdminOnly'
import { CreateButton } from '../parts/cells'
import { CustomerLink, HostLink, ServerLink } from '../parts/links'
import { Conditions } from '../parts/Conditions'
import { DeleteConfirm } from '../parts/DeleteConfirm'
import { ListPage } from '../parts/ListPage'
import { silenceLookMs } from '../../../api/look-again'
import { allGroups, useGroupOptions } from '../parts/use-groups'
import { actionsColumn } from '../../../ui/columns'
import { lateByHand } from '../../../loading/late-by-hand'

const ServerDialog = lateByHand(() => import('./ServerDialog'))

/** 服务器列表: dedicated servers and our virtual machines. */
export default function ServersPage() {
  return (
    <AdminOnly title={pages.servers} denied="访问被拒绝：只有管理员可以管理服务器">
      <Servers />
    </AdminOnly>
  )
}

/** All, or one customer's or host's. */
export function Servers({ user, host }: { user?: string; host?: string }) {
  const part = user !== undefined || host !== undefined
  const filters = useFilters(['q', 'group'] as const)
  const { q, group } = filters.values
  const asked = {
    page: filters.page,
    size: filters.size,
    ...(q ? { search: q } : {}),
    ...(group ? { groupId: group } : {}),
    ...(user ? { userId: user } : {}),
    ...(host ? { hostId: host } : {}),
  }
  const servers = trpc.servers.list.useQuery(asked, {
    placeholderData: keepPreviousData,
    refetchInterval: silenceLookMs,
  })
  const groups = useGroupOptions()
  const utils = trpc.useUtils()
  const remove = trpc.servers.delete.useMutation({ onSuccess: () => utils.servers.invalidate() })
  const [edited, setEdited] = useState<AdminServer | 'new' | null>(null)
  const [removed, setRemoved] = useState<AdminServer | null>(null)

  return (
    <ListPage
      part={part}
      title={pages.servers}
      what={labels.server}
      failed="获取服务器失败"
      wide
      read={servers}
      filters={filters}
      exported={{ list: 'servers', asked }}
      columns={columnsOf(setEdited, setRemoved)}
      rowKey={(server) => server.id}
      empty={{ icon: Server, text: '添加独立服务器，或在宿主机上由订单自动创建虚拟机。' }}
      action={!part && <CreateButton onClick={() => setEdited('new')} />}
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: 'IP（可带端口）、名称或操作系统' }}
          active={filters.active}
          onReset={filters.reset}
        >
          <Select
            label={labels.serverGroup}
            value={group}
            onChange={(group) => filters.set({ group })}
            options={[{ value: '', text: allGroups }, ...groups]}
          />
        </Conditions>
      }
    >
      {edited && (
        <Opening onGiveUp={() => setEdited(null)}>
          <ServerDialog server={edited === 'new' ? null : edited} groups={groups} onClose={() => setEdited(null)} />
        </Opening>
      )}
      {removed && (
        <DeleteConfirm
          what={labels.server}
          typed={removed.ip ?? removed.name}
          failed="删除服务器失败"
          run={() => remove.mutateAsync({ id: removed.id })}
          onClose={() => setRemoved(null)}
        >
          <p>
            {labels.server} <b>{removed.ip}</b>（{removed.groupName}
            ）的登记信息和保存的登录密码将被删除，且不能恢复，之后也不再出售。
          </p>
          <p>机器本身和其中的数据不会改变；以前的订单、操作记录和地址使用记录会保留。</p>
        </DeleteConfirm>
      )}
    </ListPage>
  )
}

function columnsOf(edit: (server: AdminServer) => void, remove: (server: AdminServer) => void): Column<AdminServer>[] {
  return [
    {
      key: 'group',
      head: labels.group,
      phone: 'title',
      cell: (server) => (
        <TwoLines>
          <span>{server.groupName}</span>
          <small title={server.name}>
            <ServerLink orderId={server.orderId} name={server.name} />
            {server.hostId && server.hostName && (
              <>
                {' · '}
                <HostLink id={server.hostId} name={server.hostName} />
              </>
            )}
          </small>
        </TwoLines>
      ),
    },
    { key: 'ip', head: 'IP', cell: (server) => <Address server={server} /> },
    { key: 'port', head: labels.port, align: 'right', cell: (server) => <Mono>{server.port}</Mono> },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (server) => <PowerChip power={server.power} />,
    },
    { key: 'sold', head: '售出状态', cell: (server) => <Sold server={server} /> },
    { key: 'os', head: labels.operatingSystem, cell: (server) => server.operatingSystem ?? <Dim>—</Dim> },
    {
      key: 'cpu',
      head: 'CPU',
      align: 'right',
      cell: (server) => <Figure value={server.cpuCores} unit={labels.cores} />,
    },
    {
      key: 'memory',
      head: labels.memory,
      align: 'right',
      cell: (server) => <Figure value={server.memory} unit="GB" />,
    },
    {
      key: 'disk',
      head: labels.disk,
      align: 'right',
      cell: (server) => (
        <TwoLines>
          <Figure value={server.diskSpace} unit="GB" />
          <small>{server.diskType}</small>
        </TwoLines>
      ),
    },
    { key: 'network', head: labels.networkSpeed, cell: (server) => server.networkSpeed || <Dim>—</Dim> },
    actionsColumn((server) => <RowActs server={server} edit={edit} remove={remove} />),
  ]
}

function RowActs({
  server,
  edit,
  remove,
}: {
  server: AdminServer
  edit: (server: AdminServer) => void
  remove: (server: AdminServer) => void
}) {
  const name = server.ip ?? server.name
  const button = (word: string, act: (server: AdminServer) => void) => (
    <ReasonButton
      tone="quiet"
      size="sm"
      aria-label={`${word} ${name}`}
      reason={server.driver === 'kvm' ? text.virtualMachineKept : null}
      onClick={() => act(server)}
    >
      {word}
    </ReasonButton>
  )
  return (
    <>
      {server.orderId && (
        <ButtonLink tone="quiet" size="sm" href={paths.console(server.orderId)} aria-label={`管理 ${name}`}>
          {verbs.manage}
        </ButtonLink>
      )}
      {button(verbs.edit, edit)}
      {button(verbs.remove, remove)}
    </>
  )
}

/** With why it is not reached, where it is a dedicated one. */
function Address({ server: { ip, testFailure } }: { server: AdminServer }) {
  if (ip === null) return <Dim>—</Dim>
  if (testFailure === null) return <Mono>{ip}</Mono>
  return (
    <TwoLines>
      <Mono>{ip}</Mono>
      <Failure>{testFailureNames[testFailure]}</Failure>
    </TwoLines>
  )
}

const Failure = styled.small`
  && {
    color: ${color.error.text};
  }
`

function Sold({ server }: { server: AdminServer }) {
  if (server.needsCleaning) return <Tag $tone="warning">待清理</Tag>
  if (!server.isSold) return <Tag $tone="success">未售</Tag>
  return (
    <TwoLines>
      <span>
        <Tag $tone="neutral">已售</Tag>
      </span>
      {server.ownerId && server.ownerName && (
        <small>
          <CustomerLink id={server.ownerId} name={server.ownerName} />
        </small>
      )}
    </TwoLines>
  )
}

function Figure({ value, unit }: { value: number; unit: string }) {
  return (
    <span>
      {value} <Dim>{unit}</Dim>
    </span>
  )
}
