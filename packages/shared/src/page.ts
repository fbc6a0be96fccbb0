export type Page<T> = {
  content: T[]
  totalElements: number
  totalPages: number
  number: number
  size: number
  totalIsEstimate?: boolean | undefined
}

/** Counted from 0. */
export const lastPage = 1_000_000
