import { openJobStatuses } from '@vps/shared/jobs'
import { isAmong } from '../db/words.js'

/** Queued or running. */
export const isOpen = (job = 'jobs') => isAmong(`${job}.status`, openJobStatuses)
