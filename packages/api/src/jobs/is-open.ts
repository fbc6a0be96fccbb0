import { openJobStatuses, yieldingKinds } from '@vps/shared/jobs'
import { sql, type SqlBool } from 'kysely'
import { isAmong } from '../db/words.js'

/** Queued or running. */
export const isOpen = (job = 'jobs') => isAmong(`${job}.status`, openJobStatuses)

/** Whether it takes the place of every other act: open, and not of those that yield. */
export const isBusy = (job = 'jobs') => sql<SqlBool>`(${isOpen(job)} and not ${isAmong(`${job}.kind`, yieldingKinds)})`
