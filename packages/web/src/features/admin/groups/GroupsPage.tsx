import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'
import { keepPreviousData } from '@tanstack/react-query'
import * as text from '@vps/shared/text'
import { Boxes } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Alert } from '../../../ui/Alert'
import { NameButton, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim } from '../../../ui/Time'
import { Opening } from '../../../ui/Opening'
import { AdminOnly } from '../parts/AdminOnly'
import { ActiveChip, EditDelete, placeText, CreateButton } from '../parts/cells'
import { SearchOnly } from '../parts/Conditions'
import { DeleteConfirm } from '../parts/DeleteConfirm'
import { ListPage } from '../parts/ListPage'
import { machinesText } from '../parts/names-text'
import type { AdminGroup } from '../parts/rows'
import { useSearched } from '../parts/use-searched'
import { useUnsold } from '../parts/use-unsold'
import { actionsColumn } from '../../../ui/columns'
import { lateByHand } from '../../../loading/late-by-hand'

const GroupDialog = lateByHand(() => import('./GroupDialog'))

/** 分组管理. */
export default function GroupsPage() {
  return (
    <AdminOnly title={pages.groups} denied="访问被拒绝：只有管理员可以管理服务器分组">
      <Groups />
    </AdminOnly>
  )
}

function Groups() {
  const { filters, asked } = useSearched()
  const groups = trpc.catalogue.groups.useQuery(asked, { placeholderData: keepPreviousData })
  const reasons = useUnsold()
  const utils = trpc.useUtils()
  const remove = trpc.catalogue.deleteGroup.useMutation({
    onSuccess: () => utils.catalogue.invalidate(),
  })
  const [edited, setEdited] = useState<AdminGroup | 'new' | null>(null)
  const [removed, setRemoved] = useState<AdminGroup | null>(null)

  return (
    <ListPage
      title={pages.groups}
      what={labels.serverGroup}
      failed={text.groupsFailed}
      read={groups}
      filters={filters}
      exported={{ list: 'groups', asked }}
      columns={columnsOf(reasons, setEdited, setRemoved)}
      rowKey={(group) => group.id}
      empty={{ icon: Boxes, text: '分组是一个地域或机型的服务器，价格组和宿主机都属于分组。' }}
      action={<CreateButton onClick={() => setEdited('new')} />}
      conditions={<SearchOnly filters={filters} placeholder="名称、描述、地域或城市" />}
    >
      {edited && (
        <Opening onGiveUp={() => setEdited(null)}>
          <GroupDialog group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Opening>
      )}
      {removed && (
        <DeleteConfirm
          what={labels.serverGroup}
          failed="删除服务器分组失败"
          blocked={removed.serverCount > 0 || removed.priceGroupCount > 0}
          run={() => remove.mutateAsync({ id: removed.id })}
          onClose={() => setRemoved(null)}
        >
          {removed.serverCount > 0 || removed.priceGroupCount > 0 ? (
            <Alert tone="warning">
              {labels.group} <b>{removed.name}</b> 还有 {removed.serverCount} 台服务器和 {removed.priceGroupCount}{' '}
              个价格组，需要先处理它们；只是暂停销售，可以改为停用。
            </Alert>
          ) : (
            <p>
              {labels.group} <b>{removed.name}</b> {text.deletedForGood}
            </p>
          )}
        </DeleteConfirm>
      )}
    </ListPage>
  )
}

function columnsOf(
  reasons: ReadonlyMap<string, string>,
  edit: (group: AdminGroup) => void,
  remove: (group: AdminGroup) => void,
): Column<AdminGroup>[] {
  const reasonOf = ({ id }: AdminGroup) => {
    const reason = reasons.get(id)
    return reason && <small>暂无可售：{reason}</small>
  }
  return [
    {
      key: 'name',
      head: labels.name,
      phone: 'title',
      cell: (group) => (
        <TwoLines>
          <NameButton title={group.name} onClick={() => edit(group)}>
            {group.name}
          </NameButton>
          {group.description && <small title={group.description}>{group.description}</small>}
          {reasonOf(group)}
          {group.unlimitedHosts.length > 0 && (
            <small>
              {labels.host} {machinesText(group.unlimitedHosts)} 无法限制带宽，售出的带宽上限在其上不起作用
            </small>
          )}
        </TwoLines>
      ),
    },
    { key: 'category', head: labels.parentCategory, cell: (group) => group.categoryName },
    { key: 'place', head: '位置', cell: (group) => placeText(group) || <Dim>—</Dim> },
    {
      key: 'servers',
      head: labels.server,
      align: 'right',
      width: '80px',
      cell: (group) =>
        group.serverCount > 0 ? (
          <Link href={paths.servers({ group: group.id })} aria-label={`${group.name} 的 ${group.serverCount} 台服务器`}>
            {group.serverCount}
          </Link>
        ) : (
          0
        ),
    },
    { key: 'prices', head: labels.priceGroup, align: 'right', width: '80px', cell: (group) => group.priceGroupCount },
    { key: 'sort', head: labels.sortOrder, align: 'right', width: '72px', cell: (group) => group.sortOrder },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      width: '104px',
      cell: (group) => <ActiveChip active={group.isActive} />,
    },
    actionsColumn(
      (group) => <EditDelete name={group.name} onEdit={() => edit(group)} onDelete={() => remove(group)} />,
      '140px',
    ),
  ]
}
