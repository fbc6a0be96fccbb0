export type Page<T> = {
  content: T[]
  totalElements: number
  totalPages: number
  number: number
  size: number
  totalIsEstimate?: boolean | undefined
}

/** The last page of a list that may be asked for, counted from 0. */
export const lastPage = 1_000_000
