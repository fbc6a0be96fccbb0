import type { HostStatus } from './hosts.js'
import type { JobKind } from './jobs.js'
import { servedStatuses, type OrderStatus } from './orders.js'
import { isoCan, rescueCan } from './servers.js'

/** A server goes to another host with its data, turned off meanwhile (decision 0131). */

export const migrationStages = ['WAITING', 'STOPPING', 'SAVING', 'RESTORING', 'RETURNING', 'DONE', 'FAILED'] as const
export type MigrationStage = (typeof migrationStages)[number]

/** To whoever asks for something else meanwhile, also on its way back. */
export const migratingNow = '服务器正在迁移中，请在完成后再试'

export type MigrationFacts = {
  hostStatus: HostStatus
  orderStatus: OrderStatus
  isInstalled: boolean
  isInRescue: boolean
  hasIso: boolean
  snapshots: number
  isGrowing: boolean
  isMigrating: boolean
  /** Asked for, and not begun. */
  isWaiting: boolean
  /** There is somewhere to keep backups. */
  isStored: boolean
}

/** Null, or why a server stays where it is. */
export function cannotMigrate(facts: MigrationFacts): string | null {
  if (facts.isWaiting) return '已在等待迁移'
  return facts.isMigrating ? migratingNow : cannotBegin(facts)
}

/** The same of one whose turn has come. */
export function cannotBegin(facts: MigrationFacts): string | null {
  if (!servedStatuses.some((one) => one === facts.orderStatus)) return '订单未在使用中'
  if (facts.hostStatus === 'LOST') return '宿主机已宣告丢失，请在其他宿主机上重建'
  if (!facts.isStored) return '迁移经由备份存储，请先在设置中填写'
  if (!facts.isInstalled) return '系统未安装完成'
  if (facts.snapshots > 0) return '快照不能随迁移带走，请先删除'
  if (facts.isGrowing) return '订单正在升级'
  return rescueCan.change(facts.isInRescue) ?? isoCan.change(facts.hasIso)
}

/** Of the jobs that its stages wait for. */
export const migrationKinds: readonly JobKind[] = ['stop', 'backup', 'restore', 'destroy']
