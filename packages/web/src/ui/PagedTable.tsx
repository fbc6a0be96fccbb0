import type { Page } from '@vps/shared/page'
import { useEffect, useState, type ReactElement } from 'react'
import { useSearch } from 'wouter'
import { messageOf } from '../api/errors'
import { Heard } from './heard-only'
import { countText, Pager } from './Pager'
import { Failed, NothingFound } from './states'
import type { TableProps } from './column'
import { Table } from './Table'
import { toFirstField } from './to-first-field'
import { useUnhurried } from './unhurried'

export interface ListRead<Row> {
  data: Page<Row> | undefined
  error: unknown
  isError: boolean
  isFetching: boolean
  /** Still what was read under the conditions before. */
  isPlaceholderData: boolean
  refetch: () => Promise<unknown>
}

/** `active` while filters leave something out. */
export interface Paging {
  page: number
  size: number
  active: boolean
  setPage: (page: number) => void
  setSize: (size: number) => void
  reset: () => void
}

interface PagedTableProps<Row> extends Pick<
  TableProps<Row>,
  'label' | 'columns' | 'rowKey' | 'groupOf' | 'sort' | 'wide'
> {
  read: ListRead<Row>
  paging: Paging
  /** The sentence of a failed read; `reason` where the screen has its own. */
  failed: string
  reason?: (error: unknown) => string
  empty: ReactElement
  expected?: number
}

/** A list that comes in pages. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { read, paging, failed, reason = messageOf, empty, expected = paging.size, ...table } = props
  const { error } = read
  // That nothing fits the conditions before is not that there is nothing.
  const isUnknown = read.isPlaceholderData && !paging.active && read.data?.totalElements === 0
  const data = useUnhurried(isUnknown ? undefined : read.data)
  const last = (data?.totalPages ?? 0) - 1
  const hasNone = data?.content.length === 0
  // Also while the page before an emptied one is being read.
  const emptied = hasNone && last >= 0 && (read.isFetching || paging.page > last)
  const nothing = hasNone && !emptied

  useEffect(() => {
    if (emptied && !read.isFetching) paging.setPage(last)
  })

  const found = useFound(read.isPlaceholderData || emptied ? undefined : data, paging)

  return (
    <>
      <Heard role="status">{found}</Heard>
      <Table
        {...table}
        rows={emptied ? undefined : data?.content}
        expected={expected}
        busy={read.isFetching}
        instead={
          read.isError && !data ? (
            <Failed title={failed} error={error} reason={reason(error)} onRetry={() => void read.refetch()} />
          ) : nothing && paging.active ? (
            <NothingFound
              what={table.label}
              onClear={(event) => {
                toFirstField(event)
                paging.reset()
              }}
            />
          ) : nothing ? (
            empty
          ) : null
        }
      />
      {data && !nothing && (
        <Pager
          total={data.totalElements}
          estimated={data.totalIsEstimate}
          page={paging.page}
          size={paging.size}
          onPage={paging.setPage}
          onSize={paging.setSize}
        />
      )}
    </>
  )
}

/** Said once to what was asked for: a search, a page. Not where the same is only read anew. */
function useFound<Row>(data: Page<Row> | undefined, { page, size }: Paging): string {
  const asked = [useSearch(), page, size].join(' ')
  const [told, tell] = useState({ asked: '', words: '' })
  if (data && told.asked !== asked) {
    const place = data.totalElements > 0 ? `，第 ${Math.min(page + 1, data.totalPages)} 页` : ''
    tell({ asked, words: `找到${countText(data.totalElements, data.totalIsEstimate)}${place}` })
  }
  return told.words
}

/** Not kept in the address, as in a dialog. */
export function usePaging(active = false, reset: () => void = () => {}): Paging {
  const [at, setAt] = useState({ page: 0, size: 10 })
  return {
    ...at,
    active,
    reset,
    setPage: (page) => setAt({ ...at, page }),
    setSize: (size) => setAt({ page: 0, size }),
  }
}

/** The last page where `page` is past it. */
export function cutPage<Row>(rows: Row[] | undefined, page: number, size: number): Page<Row> | undefined {
  if (!rows) return undefined
  const totalPages = Math.ceil(rows.length / size)
  const number = Math.max(0, Math.min(page, totalPages - 1))
  const content = rows.slice(number * size, (number + 1) * size)
  return { content, totalElements: rows.length, totalPages, number, size }
}

/** (25), or (约 10000) where nobody counted further. */
export const counted = ({ totalElements, totalIsEstimate }: Omit<Page<never>, 'content'>): string =>
  totalIsEstimate ? `(约 ${totalElements})` : `(${totalElements})`
