import { useFilters } from '../../../ui/use-filters'

/** Kept in the address. */
export function useSearched() {
  const filters = useFilters(['q'] as const)
  const { q } = filters.values
  return { filters, asked: { page: filters.page, size: filters.size, ...(q ? { search: q } : {}) } }
}
