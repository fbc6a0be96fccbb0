import { actionWords } from '@vps/shared/job-words'
import { durationText } from '../../../ui/Time'
import type { AdminJob } from '../parts/rows'

export function stepText({ steps }: AdminJob): string | null {
  const at = steps.findIndex(({ status }) => status === 'running' || status === 'failed')
  if (steps.length === 0) return null
  return at === -1
    ? `${steps.filter(({ status }) => status === 'done').length}/${steps.length}`
    : `${at + 1}/${steps.length} ${steps[at]?.label}`
}

export function tookText({ startedAt, finishedAt }: AdminJob, now: number): string | null {
  if (!startedAt) return null
  const end = finishedAt ? Date.parse(finishedAt) : now
  return durationText((end - Date.parse(startedAt)) / 1000)
}

export const titleOf = (job: AdminJob) => `${actionWords[job.kind] ?? job.kind} ${job.serverName}`
