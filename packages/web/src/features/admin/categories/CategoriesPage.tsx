import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'
import { keepPreviousData } from '@tanstack/react-query'
import * as text from '@vps/shared/text'
import { FolderTree, Plus } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Alert } from '../../../ui/Alert'
import { Button } from '../../../ui/Button'
import { NameButton, type Column } from '../../../ui/Table'
import { Dim } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly } from '../parts/AdminOnly'
import { ActiveChip, EditDelete } from '../parts/cells'
import { Conditions } from '../parts/Conditions'
import { DeleteConfirm } from '../parts/DeleteConfirm'
import { ListPage } from '../parts/ListPage'
import type { AdminCategory } from '../parts/rows'
import { CategoryDialog } from './CategoryDialog'

/** 分类管理. */
export default function CategoriesPage() {
  return (
    <AdminOnly title={pages.categories} denied="访问被拒绝：只有管理员可以管理服务器分类">
      <Categories />
    </AdminOnly>
  )
}

function Categories() {
  const filters = useFilters(['q'] as const)
  const { q } = filters.values
  const categories = trpc.catalogue.categories.useQuery(
    { page: filters.page, size: filters.size, ...(q ? { search: q } : {}) },
    { placeholderData: keepPreviousData },
  )
  const utils = trpc.useUtils()
  const remove = trpc.catalogue.deleteCategory.useMutation({
    onSuccess: () => void utils.catalogue.invalidate(),
  })
  const [edited, setEdited] = useState<AdminCategory | 'new' | null>(null)
  const [removed, setRemoved] = useState<AdminCategory | null>(null)

  return (
    <ListPage
      title={pages.categories}
      what={labels.serverCategory}
      failed={text.categoriesFailed}
      read={categories}
      filters={filters}
      columns={columnsOf(setEdited, setRemoved)}
      rowKey={(category) => category.id}
      empty={{ icon: FolderTree, text: '分类是销售页左侧的第一层，下面是服务器分组。' }}
      action={
        <Button
          tone="primary"
          icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          {verbs.create}
        </Button>
      }
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: labels.nameOrDescription }}
          active={filters.active}
          onReset={filters.reset}
        />
      }
    >
      {edited && <CategoryDialog category={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {removed && (
        <DeleteConfirm
          what={labels.serverCategory}
          failed="删除服务器分类失败"
          blocked={removed.groupCount > 0}
          run={() => remove.mutateAsync({ id: removed.id })}
          onClose={() => setRemoved(null)}
        >
          {removed.groupCount > 0 ? (
            <Alert tone="warning">
              {labels.category} <b>{removed.name}</b> 下还有 {removed.groupCount}{' '}
              个服务器分组，需要先移到其他分类或删除；只是暂停销售，可以改为停用。
            </Alert>
          ) : (
            <p>
              {labels.category} <b>{removed.name}</b> {text.deletedForGood}
            </p>
          )}
        </DeleteConfirm>
      )}
    </ListPage>
  )
}

function columnsOf(
  edit: (category: AdminCategory) => void,
  remove: (category: AdminCategory) => void,
): Column<AdminCategory>[] {
  return [
    {
      key: 'name',
      head: labels.name,
      phone: 'title',
      width: '220px',
      cell: (category) => <NameButton onClick={() => edit(category)}>{category.name}</NameButton>,
    },
    { key: 'description', head: labels.description, cell: (category) => category.description ?? <Dim>—</Dim> },
    { key: 'groups', head: '分组数', align: 'right', width: '88px', cell: (category) => category.groupCount },
    { key: 'sort', head: labels.sortOrder, align: 'right', width: '72px', cell: (category) => category.sortOrder },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      width: '104px',
      cell: (category) => <ActiveChip active={category.isActive} />,
    },
    {
      key: 'actions',
      head: labels.actions,
      align: 'right',
      phone: 'actions',
      width: '140px',
      cell: (category) => (
        <EditDelete name={category.name} onEdit={() => edit(category)} onDelete={() => remove(category)} />
      ),
    },
  ]
}
