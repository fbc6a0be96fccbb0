import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  head: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'right'
  width?: string
  /** The server sorts by this `key`. */
  sortable?: boolean
  /** Where on a card; else a labelled line. */
  phone?: 'title' | 'chip' | 'actions' | 'hide'
}

export interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** Rows come group by group. */
  groupOf?: (row: Row) => string
  expected?: number
  instead?: ReactNode
  /** Read again; the old rows stay. */
  busy?: boolean
  /** Scrolls where it does not fit; first and last column stay. */
  wide?: boolean
  sort?: Sort & { set: (sort: Sort) => void }
}

export interface Sort {
  key: string
  descending: boolean
}
