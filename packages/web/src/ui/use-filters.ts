import { useSearchParams } from 'wouter'
import { changed, changedSort, conditionsIn, pageIn, sizeIn, sortIn } from './address-filters'
import type { Sort } from './column'

/** In the address, for reloads and links. */
export function useFilters<K extends string>(names: readonly K[]) {
  const [params, setParams] = useSearchParams()
  const values = conditionsIn(params, names)
  const write = (change: Record<string, string>) => setParams((old) => changed(old, change), { replace: true })
  return {
    values,
    page: pageIn(params),
    size: sizeIn(params),
    active: names.some((name) => values[name] !== ''),
    set: (change: Partial<Record<K, string>>) => write({ page: '', ...(change as Record<string, string>) }),
    setPage: (next: number) => write({ page: next > 0 ? String(next + 1) : '' }),
    setSize: (next: number) => write({ size: next === 10 ? '' : String(next), page: '' }),
    reset: () => write({ page: '', ...Object.fromEntries(names.map((name) => [name, ''])) }),
  }
}

/** In the address; newest first by default. */
export function useSort<K extends string>(keys: readonly [K, ...K[]]) {
  const [params, setParams] = useSearchParams()
  return {
    ...sortIn(params, keys),
    set: (sort: Sort) => setParams((old) => changedSort(old, sort), { replace: true }),
  }
}
