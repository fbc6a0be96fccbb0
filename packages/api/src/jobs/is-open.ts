import { openJobStatuses } from '@vps/shared/jobs'
import { isAmong } from '../db/words.js'

/** Whether a job, by its alias, has not ended: it waits, or somebody has it. */
export const isOpen = (job = 'jobs') => isAmong(`${job}.status`, openJobStatuses)
