import { openJobStatuses, yieldingKinds } from '@vps/shared/jobs'
import { sql, type SqlBool } from 'kysely'
import { isAmong } from '../db/words.js'

/** Queued or running. */
export const isOpen = (job = 'jobs') => isAmong(`${job}.status`, openJobStatuses)

/** Whether it takes the place of every other act: open, and nothing that yields to them. */
export const isBusy = (job = 'jobs') => sql<SqlBool>`(${isOpen(job)} and not ${isAmong(`${job}.kind`, yieldingKinds)})`
