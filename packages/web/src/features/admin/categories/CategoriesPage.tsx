import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'
import { keepPreviousData } from '@tanstack/react-query'
import * as text from '@vps/shared/text'
import { FolderTree } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Alert } from '../../../ui/Alert'
import { NameButton } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim } from '../../../ui/Time'
import { Opening } from '../../../ui/Opening'
import { AdminOnly } from '../parts/AdminOnly'
import { ActiveChip, EditDelete, CreateButton } from '../parts/cells'
import { SearchOnly } from '../parts/Conditions'
import { DeleteConfirm } from '../parts/DeleteConfirm'
import { ListPage } from '../parts/ListPage'
import type { AdminCategory } from '../parts/rows'
import { useSearched } from '../parts/use-searched'
import { actionsColumn } from '../../../ui/columns'
import { lateByHand } from '../../../loading/late-by-hand'

const CategoryDialog = lateByHand(() => import('./CategoryDialog'))

/** 分类管理. */
export default function CategoriesPage() {
  return (
    <AdminOnly title={pages.categories} denied="访问被拒绝：只有管理员可以管理服务器分类">
      <Categories />
    </AdminOnly>
  )
}

function Categories() {
  const { filters, asked } = useSearched()
  const categories = trpc.catalogue.categories.useQuery(asked, { placeholderData: keepPreviousData })
  const utils = trpc.useUtils()
  const remove = trpc.catalogue.deleteCategory.useMutation({
    onSuccess: () => utils.catalogue.invalidate(),
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
      exported={{ list: 'categories', asked }}
      columns={columnsOf(setEdited, setRemoved)}
      rowKey={(category) => category.id}
      empty={{ icon: FolderTree, text: '分类是销售页左侧的第一层，下面是服务器分组。' }}
      action={<CreateButton onClick={() => setEdited('new')} />}
      conditions={<SearchOnly filters={filters} placeholder={labels.nameOrDescription} />}
    >
      {edited && (
        <Opening onGiveUp={() => setEdited(null)}>
          <CategoryDialog category={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Opening>
      )}
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
    { key: 'groups', head: labels.groupCount, align: 'right', width: '88px', cell: (category) => category.groupCount },
    { key: 'sort', head: labels.sortOrder, align: 'right', width: '72px', cell: (category) => category.sortOrder },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      width: '104px',
      cell: (category) => <ActiveChip active={category.isActive} />,
    },
    actionsColumn(
      (category) => <EditDelete name={category.name} onEdit={() => edit(category)} onDelete={() => remove(category)} />,
      '140px',
    ),
  ]
}
