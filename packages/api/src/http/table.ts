export type Cell = string | number | Date | null

export interface TableColumn {
  head: string
  yuan?: boolean
}

export interface Table {
  columns: readonly TableColumn[]
  pages: AsyncIterable<readonly (readonly Cell[])[]>
}
