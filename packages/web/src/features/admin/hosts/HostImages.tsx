import { keepPreviousData } from '@tanstack/react-query'
import * as labels from '@vps/shared/labels'
import type { ImageOnHost, ImageView } from '@vps/shared/images.contract'
import { Disc3 } from 'lucide-react'
import { trpc } from '../../../api/trpc'
import { Chip } from '../../../ui/Chip'
import { TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { PagedTable } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { Dim } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { bytesText } from '../../../ui/bytes-text'
import { isMoving, presenceText, presenceTones } from '../images/image-words'

/** How far each is on this host. */
export function HostImages({ host }: { host: string }) {
  const paging = useFilters([])
  const images = trpc.images.list.useQuery(
    { page: paging.page, size: paging.size },
    { placeholderData: keepPreviousData },
  )
  return (
    <PagedTable
      label={labels.image}
      columns={columnsOn(host)}
      rowKey={(image) => image.id}
      read={images}
      paging={paging}
      failed="加载镜像失败"
      empty={
        <Empty icon={Disc3} title="暂无镜像">
          登记镜像后，宿主机会自动获取，进度显示在这里。
        </Empty>
      }
    />
  )
}

function columnsOn(host: string): Column<ImageView>[] {
  const here = (image: ImageView): ImageOnHost | undefined => image.hosts.find(({ hostId }) => hostId === host)
  return [
    {
      key: 'image',
      head: labels.image,
      phone: 'title',
      cell: (image) => (
        <TwoLines>
          <span>
            {image.osName} {image.osVersion}
          </span>
          <small title={image.file}>{image.file}</small>
        </TwoLines>
      ),
    },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (image) => {
        const one = here(image)
        if (!one) return <Dim>—</Dim>
        return (
          <Chip tone={presenceTones[one.status]} busy={isMoving(one)}>
            {presenceText(one)}
          </Chip>
        )
      },
    },
    {
      key: 'bytes',
      head: '已传输',
      align: 'right',
      cell: (image) => {
        const one = here(image)
        if (one?.status !== 'running') return <Dim>—</Dim>
        return one.totalBytes === null ? bytesText(one.bytes) : `${bytesText(one.bytes)} / ${bytesText(one.totalBytes)}`
      },
    },
    { key: 'error', head: labels.error, cell: (image) => here(image)?.error ?? <Dim>—</Dim> },
  ]
}
