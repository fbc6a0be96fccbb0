import * as states from '@vps/shared/states'
import { hasEnded } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import type { InstallProgress } from '@vps/shared/console.contract'

/** Cancelled or expired. */
export const isOver = ({ orderStatus }: InstallProgress) => orderStatus !== null && hasEnded(orderStatus)

/** While the order waits for its server, a failure is followed by another host. */
export const isOpen = (progress: InstallProgress) =>
  !isOver(progress) &&
  (progress.installStatus === 'INSTALLING' ||
    progress.installStatus === null ||
    (progress.installStatus === 'FAILED' && (progress.orderStatus === 'PAID' || progress.orderStatus === 'PROCESSING')))

/** Another act took its place, or a backup gave the server a system again. */
export const isNotReinstalled = ({ installStatus, kind, percentage }: InstallProgress) =>
  installStatus === 'COMPLETED' && kind === 'reinstall' && percentage < 100

const fallbackLookMs = 5_000

/** How soon it is looked at again. */
export const lookAgain = ({ state }: { state: { data: InstallProgress | undefined } }): number | false =>
  state.data && !isOpen(state.data) ? false : fallbackLookMs

export function headline(progress: InstallProgress): string {
  if (isOver(progress)) return progress.wasActive ? text.serverReleased : '安装未完成'
  if (isNotReinstalled(progress)) return '没有重装系统'
  if (progress.installStatus === 'COMPLETED') return '安装完成'
  if (progress.installStatus === 'FAILED')
    return isOpen(progress) ? '安装遇到问题，正在更换宿主机重试' : states.installFailed
  return progress.kind === 'reinstall' ? '正在重装系统' : '正在安装系统'
}

/** (3/6) 安装中 */
export function tabTitle(progress: InstallProgress): string {
  if (!isOpen(progress)) return headline(progress)
  const done = progress.steps.filter((step) => step.status === 'done').length
  return progress.steps.length
    ? `(${Math.min(done + 1, progress.steps.length)}/${progress.steps.length}) 安装中`
    : states.installing
}

export function typicalText([from, to]: [number, number]): string {
  const [low, high] = [Math.round(from), Math.round(to)]
  return high >= 120 ? rangeText(Math.ceil(low / 60), Math.ceil(high / 60), '分钟') : rangeText(low, high, '秒')
}

const rangeText = (low: number, high: number, unit: string) => `${low === high ? low : `${low}–${high}`} ${unit}`
