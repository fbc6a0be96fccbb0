/** Where in a list one is, as it stands in the address: conditions, page, page size and order. */
import { lastPage } from '@vps/shared/page'
import { byName } from '@vps/shared/records'
import type { Sort } from './column'

/** How many records a page may have. */
export const pageSizes = [5, 10, 20, 50] as const

/** Whether a text from the address is one of the values that the server knows. */
export function isOneOf<T extends string>(values: readonly T[], text: string): text is T {
  return values.some((value) => value === text)
}

/** The conditions by their names; blank where there is none. */
export const conditionsIn = <K extends string>(params: URLSearchParams, names: readonly K[]): Record<K, string> =>
  byName(names, (name) => params.get(name) ?? '')

/** The page, from 0 on; people count from 1. */
export const pageIn = (params: URLSearchParams): number =>
  Math.min(lastPage, Math.max(0, Number.parseInt(params.get('page') ?? '1', 10) - 1 || 0))

/** The page size, where it is one that can be chosen. */
export const sizeIn = (params: URLSearchParams): number =>
  pageSizes.find((allowed) => String(allowed) === params.get('size')) ?? 10

/** What the list is sorted by: the first key, and downwards, unless asked otherwise. */
export const sortIn = <K extends string>(params: URLSearchParams, keys: readonly [K, ...K[]]) => ({
  key: keys.find((allowed) => allowed === params.get('sort')) ?? keys[0],
  descending: params.get('order') !== 'asc',
})

/** The address with other conditions; what is blank does not stand in it. */
export function changed(params: URLSearchParams, change: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

/** The address with another order, which starts again at the first page. */
export const changedSort = (params: URLSearchParams, { key, descending }: Sort): URLSearchParams =>
  changed(params, { sort: key, order: descending ? '' : 'asc', page: '' })
