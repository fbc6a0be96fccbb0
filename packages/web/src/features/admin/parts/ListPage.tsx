import type { Page as PageOf } from '@vps/shared/page'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Page } from '../../../ui/Page'
import { Pager } from '../../../ui/Pager'
import { Empty, Failed, NothingFound } from '../../../ui/states'
import { Table, type Column } from '../../../ui/Table'
import type { useFilters } from '../../../ui/use-filters'

/** What a list needs of its read. */
interface ListRead<Row> {
  data: PageOf<Row> | undefined
  error: unknown
  isError: boolean
  isFetching: boolean
  dataUpdatedAt: number
  refetch: () => Promise<unknown>
}

interface ListPageProps<Row> {
  title: string
  /** What its rows are, for the sentences of the empty and failed states. */
  what: string
  read: ListRead<Row>
  filters: Pick<ReturnType<typeof useFilters>, 'active' | 'page' | 'size' | 'setPage' | 'setSize' | 'reset'>
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  /** The one primary act of the screen; also offered where the list is empty. */
  action?: ReactNode
  empty: { icon: LucideIcon; text: string; title?: string }
  /** The sentence of a failed read. */
  failed?: string
  conditions?: ReactNode
  note?: ReactNode
  wide?: boolean
  children?: ReactNode
}

/** A list of the administration, paged by the server: head, conditions, table in each of its states, pager, dialogs. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, what, read, filters, columns, rowKey, action, empty, conditions, note, wide, children } = props
  const { failed = `加载${what}失败` } = props
  const total = read.data?.totalElements
  return (
    <Page
      title={title}
      heading={`${title}${total === undefined ? '' : ` (${total})`}`}
      note={note}
      actions={action}
      refresh={{ updatedAt: read.dataUpdatedAt, busy: read.isFetching, run: () => void read.refetch() }}
    >
      {conditions}
      <Table
        label={what}
        columns={columns}
        rows={read.data?.content}
        rowKey={rowKey}
        expected={filters.size}
        busy={read.isFetching}
        wide={wide ?? false}
        instead={
          read.isError && !read.data ? (
            <Failed title={failed} error={read.error} onRetry={() => void read.refetch()} />
          ) : read.data && read.data.content.length === 0 ? (
            filters.active ? (
              <NothingFound what={what} onClear={filters.reset} />
            ) : filters.page > 0 ? (
              // The last row of the last page is gone.
              <NothingFound what={what} onClear={() => filters.setPage(0)} />
            ) : (
              <Empty icon={empty.icon} title={empty.title ?? `暂无${what}`} action={action}>
                {empty.text}
              </Empty>
            )
          ) : null
        }
      />
      {read.data && read.data.content.length > 0 && (
        <Pager
          total={read.data.totalElements}
          estimated={read.data.totalIsEstimate}
          page={filters.page}
          size={filters.size}
          onPage={filters.setPage}
          onSize={filters.setSize}
        />
      )}
      {children}
    </Page>
  )
}

/** A page cut out of a list that comes whole. */
export function cutPage<Row>(rows: Row[] | undefined, page: number, size: number): PageOf<Row> | undefined {
  return (
    rows && {
      content: rows.slice(page * size, (page + 1) * size),
      totalElements: rows.length,
      totalPages: Math.ceil(rows.length / size),
      number: page,
      size,
    }
  )
}
