import * as labels from '@vps/shared/labels'
import type { Dispatch, SetStateAction } from 'react'
import type { ConsoleServer } from '../../servers/console-server'
import * as pages from '../../page-names'

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

/** Opens the upgrade of what is bought, where one stands; `first` takes the focus. */
export type OnUpgrade = (first: 'plan' | 'ipCount' | 'backups') => void

/** A reinstall or restore failed, and nothing is tried any more. */
export const hasNoSystem = ({ installStatus, openJob }: Pick<ConsoleServer, 'installStatus' | 'openJob'>) =>
  installStatus === 'FAILED' && openJob === null

/** Also where some are left of an old offer. */
export const offersSnapshots = ({ snapshots }: Pick<ConsoleServer, 'snapshots'>) => snapshots.used + snapshots.most > 0

/** Bought, or kept all the same, as what a migration left where the old host was lost. */
export const hasBackups = ({ order, keptBackups }: Backed) => order.backups > 0 || keptBackups.own
type Backed = Pick<ConsoleServer, 'keptBackups'> & { order: Pick<ConsoleServer['order'], 'backups'> }

/** Without empty ones: neither discs nor ways back are offered or sold everywhere. */
export const partsOf = (server: Pick<ConsoleServer, 'snapshots' | 'iso'> & Backed) =>
  consoleParts.filter(([part]) => part !== 'disk' || hasDiskPart(server))

const hasDiskPart = (server: Parameters<typeof partsOf>[0]) =>
  offersSnapshots(server) || hasBackups(server) || server.keptBackups.elsewhere || server.iso.offered

/** The overview where the address names none. */
export function partIn(search: URLSearchParams, parts: ReturnType<typeof partsOf>): ConsolePart {
  const asked = search.get('part')
  return parts.find(([part]) => part === asked)?.[0] ?? 'overview'
}
