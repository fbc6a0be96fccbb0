import type { ImageView } from '@vps/shared/fleet'
import { Disc3, Plus } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Button } from '../../../ui/Button'
import { Tag } from '../../../ui/Chip'
import { Mono, NameButton, RowActions, TwoLines, type Column } from '../../../ui/Table'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { ActiveChip } from '../parts/cells'
import { Conditions } from '../parts/Conditions'
import { cutPage, ListPage } from '../parts/ListPage'
import { ImageDialog } from './ImageDialog'
import { readinessWords } from './readiness-words'

/** 镜像. */
export default function ImagesPage() {
  return (
    <AdminOnly title="镜像" denied={operationsDenied}>
      <Images />
    </AdminOnly>
  )
}

function Images() {
  const filters = useFilters(['q'] as const)
  const { q } = filters.values
  const images = trpc.admin.operations.images.useQuery()
  const [edited, setEdited] = useState<ImageView | 'new' | null>(null)
  const found = images.data?.filter(({ osName, osVersion, file }) =>
    `${osName} ${osVersion} ${file}`.toLowerCase().includes(q.toLowerCase()),
  )
  return (
    <ListPage
      title="镜像"
      what="镜像"
      read={{ ...images, data: cutPage(found, filters.page, filters.size) }}
      filters={filters}
      columns={columnsOf(setEdited)}
      rowKey={(image) => image.id}
      empty={{ icon: Disc3, text: '镜像是宿主机上的磁盘文件，客户购买和重装时从中选择操作系统。' }}
      action={
        <Button
          tone="primary"
          icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          新增
        </Button>
      }
      conditions={
        <Conditions
          search={{ text: q, onSearch: (q) => filters.set({ q }), placeholder: '系统、版本或文件名' }}
          active={filters.active}
          onReset={filters.reset}
        />
      }
    >
      {edited && <ImageDialog image={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </ListPage>
  )
}

function columnsOf(edit: (image: ImageView) => void): Column<ImageView>[] {
  return [
    {
      key: 'name',
      head: '操作系统',
      phone: 'title',
      cell: (image) => (
        <NameButton onClick={() => edit(image)}>
          {image.osName} {image.osVersion}
        </NameButton>
      ),
    },
    {
      key: 'file',
      head: '文件',
      cell: (image) => (
        <TwoLines>
          <Mono>{image.file}</Mono>
          <small>{image.sha256 ? `SHA-256 ${image.sha256.slice(0, 12)}…` : '未校验'}</small>
        </TwoLines>
      ),
    },
    { key: 'readiness', head: '就绪判定', cell: (image) => readinessWords[image.readiness] },
    { key: 'user', head: '用户名', cell: (image) => <Mono>{image.username}</Mono> },
    { key: 'disk', head: '最小磁盘', align: 'right', cell: (image) => `${image.minDiskGb} GB` },
    {
      key: 'hosts',
      head: '所在宿主机',
      cell: (image) =>
        image.hosts.length > 0 ? image.hosts.join('、') : <Tag $tone="warning">没有宿主机拥有此文件</Tag>,
    },
    { key: 'sort', head: '排序', align: 'right', cell: (image) => image.sortOrder },
    { key: 'status', head: '状态', phone: 'chip', cell: (image) => <ActiveChip active={image.isActive} /> },
    {
      key: 'actions',
      head: '操作',
      align: 'right',
      phone: 'actions',
      cell: (image) => (
        <RowActions>
          <Button
            tone="quiet"
            size="sm"
            aria-label={`编辑 ${image.osName} ${image.osVersion}`}
            onClick={() => edit(image)}
          >
            编辑
          </Button>
        </RowActions>
      ),
    },
  ]
}
