import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  width?: string
  /** By the server; `key` is its name for it. */
  sortable?: boolean
  /** On a card: head, lower end, or (default) a labelled line. */
  phone?: 'title' | 'chip' | 'actions' | 'hide'
}

export interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  /** Undefined while awaited. */
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** Grey rows while loading. */
  expected?: number
  /** In place of the rows: nothing there, or a failed read. */
  instead?: ReactNode
  /** Read again; the old rows stay. */
  busy?: boolean
  /** Scrolls in its frame where it does not fit; first and last column stay. */
  wide?: boolean
  sort?: Sort & { set: (sort: Sort) => void }
}

export interface Sort {
  key: string
  descending: boolean
}
