import type { InstallProgress } from '@vps/shared/console.contract'
import type { JobStep } from '@vps/shared/jobs.contract'
import { isNotReinstalled } from './install-words'

/** 100 for a dedicated server, too, which has no install job. */
export const percentageOf = (progress: InstallProgress): number =>
  progress.installStatus === 'COMPLETED' && !isNotReinstalled(progress) ? 100 : progress.percentage

const tenths = 10

/** One per step; where none are told, per tenth of the way. */
export function installCells(progress: InstallProgress): JobStep['status'][] {
  if (progress.steps.length > 0) return progress.steps.map(({ status }) => status)
  const done = Math.floor(percentageOf(progress) / tenths)
  return Array.from({ length: tenths }, (_, n) => (n < done ? 'done' : 'pending'))
}
