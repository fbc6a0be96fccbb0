import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styled from 'styled-components'
import { Page } from '../../../ui/Page'
import { counted, PagedTable, type ListRead, type Paging } from '../../../ui/PagedTable'
import { ExportMenu } from '../../../ui/ExportMenu'
import { Empty } from '../../../ui/states'
import type { Column } from '../../../ui/column'

interface ListPageProps<Row> {
  title: string
  what: string
  read: ListRead<Row> & { dataUpdatedAt: number }
  filters: Paging
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  action?: ReactNode
  empty: { icon: LucideIcon; text: string; title?: string }
  failed?: string
  conditions?: ReactNode
  /** A list of the server's `exports`, and what is asked of it. */
  exported: { list: string; asked: object }
  note?: ReactNode
  wide?: boolean
  part?: boolean
  children?: ReactNode
}

/** Paged by the server. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, what, read, filters, columns, rowKey, action, empty, conditions, note, wide, children } = props
  const { failed = `加载${what}失败`, part = false, exported } = props
  const exports = <ExportMenu address={`/api/exports/${exported.list}`} asked={exported.asked} />
  const list = (
    <>
      {conditions}
      <PagedTable
        label={what}
        columns={columns}
        rowKey={rowKey}
        wide={wide ?? false}
        read={read}
        paging={filters}
        failed={failed}
        empty={
          <Empty icon={empty.icon} title={empty.title ?? `暂无${what}`} action={action}>
            {empty.text}
          </Empty>
        }
      />
      {children}
    </>
  )
  if (part)
    return (
      <>
        <Above>{exports}</Above>
        {list}
      </>
    )
  return (
    <Page
      title={title}
      heading={read.data ? `${title} ${counted(read.data)}` : title}
      note={note}
      actions={
        <>
          {exports}
          {action}
        </>
      }
      refresh={{ updatedAt: read.dataUpdatedAt, busy: read.isFetching, run: () => void read.refetch() }}
    >
      {list}
    </Page>
  )
}

const Above = styled.div`
  display: flex;
  justify-content: flex-end;
  margin-bottom: 12px;
`
