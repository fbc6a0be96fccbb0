import { useSearchParams } from 'wouter'
import { byName } from '@vps/shared/records'

export const pageSizes = [5, 10, 20, 50] as const

/** Whether a text from the address is one of the values that the server knows. */
export function isOneOf<T extends string>(values: readonly T[], text: string): text is T {
  return values.some((value) => value === text)
}

/** Filters, page and page size kept in the address, so that a reload or a link shows the same list. */
export function useFilters<K extends string>(names: readonly K[]) {
  const [params, setParams] = useSearchParams()
  const values = byName(names, (name) => params.get(name) ?? '')
  const size = pageSizes.find((allowed) => String(allowed) === params.get('size')) ?? 10
  const page = Math.max(0, Number.parseInt(params.get('page') ?? '1', 10) - 1 || 0)

  const write = (change: Record<string, string>) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        for (const [name, value] of Object.entries(change)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )

  return {
    values,
    page,
    size,
    active: names.some((name) => values[name] !== ''),
    /** A changed filter starts again at the first page. */
    set: (change: Partial<Record<K, string>>) => write({ page: '', ...(change as Record<string, string>) }),
    setPage: (next: number) => write({ page: next > 0 ? String(next + 1) : '' }),
    setSize: (next: number) => write({ size: next === 10 ? '' : String(next), page: '' }),
    reset: () => write({ page: '', ...Object.fromEntries(names.map((name) => [name, ''])) }),
  }
}

/** The order of a list, kept in the address like its filters; newest first unless asked otherwise. */
export function useSort<K extends string>(keys: readonly [K, ...K[]]) {
  const [params, setParams] = useSearchParams()
  const key = keys.find((allowed) => allowed === params.get('sort')) ?? keys[0]
  return {
    key,
    descending: params.get('order') !== 'asc',
    set: (sort: { key: string; descending: boolean }) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old)
          next.set('sort', sort.key)
          if (sort.descending) next.delete('order')
          else next.set('order', 'asc')
          next.delete('page')
          return next
        },
        { replace: true },
      ),
  }
}
