import { useEffect } from 'react'
import { useFilters } from '../../../ui/use-filters'

/** Kept in the address, and for the way back from the page of a row; `more` conditions are the list's own. */
export function useSearched<K extends string = never>(more: readonly K[] = []) {
  const filters = useFilters<'q' | K>(['q', ...more])
  const { q } = filters.values
  useEffect(() => sessionStorage.setItem(location.pathname, location.search))
  return { filters, asked: { page: filters.page, size: filters.size, ...(q ? { search: q } : {}) } }
}

/** A list's address, with what was last searched there. */
export const asLeft = (list: string): string => list + (sessionStorage.getItem(list) ?? '')
