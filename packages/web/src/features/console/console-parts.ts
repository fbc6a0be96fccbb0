import * as labels from '@vps/shared/labels'
import type { Dispatch, SetStateAction } from 'react'
import type { ConsoleServer } from '../../servers/console-server'
import * as pages from '../../page-names'

/** The console's parts, in the order of their links. */
const consoleParts = [
  ['overview', pages.overview],
  ['monitoring', '监控'],
  ['network', '网络'],
  ['disk', '磁盘与快照'],
  ['security', labels.security],
  ['logs', labels.log],
] as const
export type ConsolePart = (typeof consoleParts)[number][0]

/** A state that outlives the part that shows it. */
export type Kept<T> = [T, Dispatch<SetStateAction<T>>]

/** Also where none are offered any more, and some are left. */
export const offersSnapshots = ({ snapshots }: Pick<ConsoleServer, 'snapshots'>) => snapshots.used + snapshots.most > 0

/** What has nothing in it is none of them: ways back are neither offered nor sold everywhere. */
export const partsOf = (
  server: Pick<ConsoleServer, 'snapshots'> & { order: Pick<ConsoleServer['order'], 'backups'> },
) => consoleParts.filter(([part]) => part !== 'disk' || offersSnapshots(server) || server.order.backups > 0)

/** What the address asks for; the overview where it names nothing. */
export function partIn(search: URLSearchParams, parts: ReturnType<typeof partsOf>): ConsolePart {
  const asked = search.get('part')
  return parts.find(([part]) => part === asked)?.[0] ?? 'overview'
}
