import type { MigrationStage } from './cold-migrations.js'
import * as states from './states.js'
import * as text from './text.js'

/** What operators read of migrations; customers load none of it. */

export const migrationStageNames: Record<MigrationStage, string> = {
  WAITING: states.queued,
  STOPPING: '正在关机',
  SAVING: '正在保存磁盘',
  RESTORING: '正在恢复',
  RETURNING: '正在退回',
  DONE: states.done,
  FAILED: states.failed,
}

/** It ended as one that failed does, and is none. */
export const wasCalledOff = ({ stage, reason }: { stage: MigrationStage; reason: string | null }): boolean =>
  stage === 'FAILED' && reason === text.cancelledByAdmin

/** Where none is, or not the one that was asked for. */
export const noHostToMigrateTo = '没有其他宿主机有足够的资源和它的系统所需的固件，并能使用它现有的地址'

/** Of one that can be cancelled no more. */
export const goingBack = '正在退回原宿主机，不能取消'
