import * as labels from '@vps/shared/labels'
import * as pages from '../../page-names'

/** The console's parts, in the order of their links; what has nothing in it yet is none of them. */
export const consoleParts = [
  ['overview', pages.overview],
  ['monitoring', '监控'],
  ['network', '网络'],
  ['security', '安全'],
  ['logs', labels.log],
] as const
export type ConsolePart = (typeof consoleParts)[number][0]

/** What the address asks for; the overview where it names nothing. */
export function partIn(search: URLSearchParams): ConsolePart {
  const asked = search.get('part')
  return consoleParts.find(([part]) => part === asked)?.[0] ?? 'overview'
}
