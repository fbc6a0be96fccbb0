import type { JobStep } from '@vps/shared/jobs.contract'
import { durationText } from './Time'

/** Null before it began. */
export function timeOf(step: JobStep, now: number): string | null {
  if (!step.startedAt) return null
  const end = step.finishedAt ? Date.parse(step.finishedAt) : step.status === 'running' ? now : null
  if (end === null) return null
  const seconds = (end - Date.parse(step.startedAt)) / 1000
  return seconds < 10 && step.finishedAt ? `${Math.max(0, seconds).toFixed(1)} 秒` : durationText(seconds)
}
