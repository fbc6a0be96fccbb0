import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import { firmwareWords } from '@vps/shared/images'
import type { ImageView } from '@vps/shared/images.contract'
import { Disc3 } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Dim } from '../../../ui/Time'
import { Mono, NameButton, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { ActiveChip, EditDelete, CreateButton } from '../parts/cells'
import { SearchOnly } from '../parts/Conditions'
import { DeleteConfirm } from '../parts/DeleteConfirm'
import { ListPage } from '../parts/ListPage'
import { rereadOperations } from '../parts/reread'
import { kindWords, readinessWords } from './image-words'
import { Presence, PresenceDialog } from './Presence'
import { Opening } from '../../../ui/Opening'
import { useSearched } from '../parts/use-searched'
import { actionsColumn } from '../../../ui/columns'
import { lateByHand } from '../../../loading/late-by-hand'

const ImageDialog = lateByHand(() => import('./ImageDialog'))

/** 镜像. */
export default function ImagesPage() {
  return (
    <AdminOnly title={labels.image} denied={operationsDenied}>
      <Images />
    </AdminOnly>
  )
}

function Images() {
  const { filters, asked } = useSearched()
  const images = trpc.images.list.useQuery(asked, { placeholderData: keepPreviousData })
  const utils = trpc.useUtils()
  const remove = trpc.images.delete.useMutation({
    onSuccess: () => rereadOperations(utils),
  })
  const [edited, setEdited] = useState<ImageView | 'new' | null>(null)
  const [removed, setRemoved] = useState<ImageView | null>(null)
  const [watchedId, setWatchedId] = useState<string | null>(null)
  const watched = images.data?.content.find(({ id }) => id === watchedId)
  return (
    <ListPage
      title={labels.image}
      what={labels.image}
      read={images}
      filters={filters}
      wide
      exported={{ list: 'images', asked }}
      columns={columnsOf({ edit: setEdited, remove: setRemoved, watch: (image) => setWatchedId(image.id) })}
      rowKey={(image) => image.id}
      empty={{
        icon: Disc3,
        text: '镜像是宿主机上的磁盘文件，客户购买和重装时从中选择操作系统。填写下载地址，宿主机会自动获取。',
      }}
      action={<CreateButton onClick={() => setEdited('new')} />}
      conditions={<SearchOnly filters={filters} placeholder="系统、版本或文件名" />}
    >
      {edited && (
        <Opening onGiveUp={() => setEdited(null)}>
          <ImageDialog image={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Opening>
      )}
      {watched && <PresenceDialog image={watched} onClose={() => setWatchedId(null)} />}
      {removed && (
        <DeleteConfirm
          what={labels.image}
          failed="删除镜像失败"
          run={() => remove.mutateAsync({ id: removed.id })}
          onClose={() => setRemoved(null)}
        >
          <p>
            {labels.image}{' '}
            <b>
              {removed.osName} {removed.osVersion}
            </b>{' '}
            将从{removed.kind === 'iso' ? '光盘库' : '购买和重装的选项'}中删除，且不能恢复。
          </p>
          <p>已有的订单记录不受影响。宿主机上的文件 {removed.file} 会保留，不再需要时请手动删除。</p>
          <p>仍有服务器或未完成的订单使用时不能删除；只是不再提供，可以改为停用。</p>
        </DeleteConfirm>
      )}
    </ListPage>
  )
}

const hostOf = (url: string) => new URL(url).host

interface Acts {
  edit: (image: ImageView) => void
  remove: (image: ImageView) => void
  watch: (image: ImageView) => void
}

function columnsOf({ edit, remove, watch }: Acts): Column<ImageView>[] {
  return [
    {
      key: 'name',
      head: labels.operatingSystem,
      phone: 'title',
      cell: (image) => (
        <NameButton onClick={() => edit(image)}>
          {image.osName} {image.osVersion}
        </NameButton>
      ),
    },
    {
      key: 'file',
      head: labels.file,
      cell: (image) => (
        <TwoLines>
          <Mono>{image.file}</Mono>
          <small>
            {image.url ? hostOf(image.url) : '手动放置'} ·{' '}
            {image.sha256 ? `SHA-256 ${image.sha256.slice(0, 12)}…` : '未校验'}
          </small>
        </TwoLines>
      ),
    },
    {
      key: 'readiness',
      head: labels.readiness,
      width: '112px',
      cell: (image) => (
        <TwoLines>
          <span>{image.kind === 'iso' ? kindWords.iso : readinessWords[image.readiness]}</span>
          <small>
            {image.kind === 'system'
              ? `${firmwareWords[image.firmware]} · ${labels.user} ${image.username}`
              : image.kind === 'rescue' && kindWords.rescue}
          </small>
        </TwoLines>
      ),
    },
    {
      key: 'disk',
      head: labels.minDisk,
      align: 'right',
      width: '88px',
      cell: (image) => (image.kind === 'iso' ? <Dim>—</Dim> : `${image.minDiskGb} GB`),
    },
    {
      key: 'hosts',
      head: labels.host,
      width: '300px',
      cell: (image) => <Presence image={image} onOpen={() => watch(image)} />,
    },
    {
      key: 'sort',
      head: labels.sortOrder,
      phone: 'hide',
      align: 'right',
      width: '72px',
      cell: (image) => image.sortOrder,
    },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      width: '104px',
      cell: (image) => <ActiveChip active={image.isActive} />,
    },
    actionsColumn(
      (image) => (
        <EditDelete
          name={`${image.osName} ${image.osVersion}`}
          onEdit={() => edit(image)}
          onDelete={() => remove(image)}
        />
      ),
      '140px',
    ),
  ]
}
