import { lastPage } from '@vps/shared/page'
import { byName } from '@vps/shared/records'
import type { Sort } from './column'

export const pageSizes = [5, 10, 20, 50] as const

export function isOneOf<T extends string>(values: readonly T[], text: string): text is T {
  return values.some((value) => value === text)
}

/** Blank where there is none. */
export const conditionsIn = <K extends string>(params: URLSearchParams, names: readonly K[]): Record<K, string> =>
  byName(names, (name) => params.get(name) ?? '')

/** From 0; people count from 1. */
export const pageIn = (params: URLSearchParams): number =>
  Math.min(lastPage, Math.max(0, Number.parseInt(params.get('page') ?? '1', 10) - 1 || 0))

export const sizeIn = (params: URLSearchParams): number =>
  pageSizes.find((allowed) => String(allowed) === params.get('size')) ?? 10

/** The first key, downwards, by default. */
export const sortIn = <K extends string>(params: URLSearchParams, keys: readonly [K, ...K[]]) => ({
  key: keys.find((allowed) => allowed === params.get('sort')) ?? keys[0],
  descending: params.get('order') !== 'asc',
})

/** Leaves out what is blank. */
export function changed(params: URLSearchParams, change: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

/** Starts again at the first page. */
export const changedSort = (params: URLSearchParams, { key, descending }: Sort): URLSearchParams =>
  changed(params, { sort: key, order: descending ? '' : 'asc', page: '' })
