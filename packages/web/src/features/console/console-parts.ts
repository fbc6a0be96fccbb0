import * as labels from '@vps/shared/labels'
import type { ConsoleServer } from '../../servers/console-server'
import * as pages from '../../page-names'

/** The console's parts, in the order of their links. */
const consoleParts = [
  ['overview', pages.overview],
  ['monitoring', '监控'],
  ['network', '网络'],
  ['disk', '磁盘与快照'],
  ['security', '安全'],
  ['logs', labels.log],
] as const
export type ConsolePart = (typeof consoleParts)[number][0]

/** What has nothing in it is none of them: snapshots are not offered everywhere. */
export const partsOf = ({ snapshots }: Pick<ConsoleServer, 'snapshots'>) =>
  consoleParts.filter(([part]) => part !== 'disk' || snapshots.used + snapshots.most > 0)

/** What the address asks for; the overview where it names nothing. */
export function partIn(search: URLSearchParams, parts: ReturnType<typeof partsOf>): ConsolePart {
  const asked = search.get('part')
  return parts.find(([part]) => part === asked)?.[0] ?? 'overview'
}
