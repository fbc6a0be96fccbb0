/** What a list is made of: its columns, its rows, and the order they came in. */
import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  width?: string
  /** Sorted by the server when its head is pressed; `key` is what the server calls it. */
  sortable?: boolean
  /** On a card: in its head, at its lower end, or (default) a labelled line. */
  phone?: 'title' | 'chip' | 'actions' | 'hide'
}

export interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  /** Undefined while the first answer is awaited. */
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** Rows of grey bars while loading. */
  expected?: number
  /** In the table's place when there is nothing or the read failed; the head stays. */
  instead?: ReactNode
  /** A repeated read is under way; the old rows stay. */
  busy?: boolean
  /** Many columns: where they do not fit, the table scrolls in its frame; the first and the last one stay. */
  wide?: boolean
  /** The order that the rows came in, and how to ask for another. */
  sort?: Sort & { set: (sort: Sort) => void }
}

export interface Sort {
  key: string
  descending: boolean
}
