import { useFilters } from '../../../ui/use-filters'

/** A list that one text is searched in: where in it one is, kept in the address, and what is asked of the server. */
export function useSearched() {
  const filters = useFilters(['q'] as const)
  const { q } = filters.values
  return { filters, asked: { page: filters.page, size: filters.size, ...(q ? { search: q } : {}) } }
}
