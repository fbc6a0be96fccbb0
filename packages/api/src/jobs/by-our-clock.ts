import type { JobStep } from '@vps/shared/jobs.contract'
import { isClockRight } from '../db/watch.js'

type Told = { at?: string | undefined; steps: JobStep[] }

/** A host's clock may be hours off: its steps' moments as ours were. */
export function byOurClock<T extends Told>(told: T, now: Date): T {
  const aheadMs = told.at === undefined ? 0 : Date.parse(told.at) - now.getTime()
  if (isClockRight(aheadMs)) return told
  const ours = (moment: string | null) => {
    const ms = moment === null ? NaN : Date.parse(moment)
    return Number.isNaN(ms) ? moment : new Date(ms - aheadMs).toISOString()
  }
  const steps = told.steps.map((step) => ({
    ...step,
    startedAt: ours(step.startedAt),
    finishedAt: ours(step.finishedAt),
  }))
  return { ...told, steps }
}
