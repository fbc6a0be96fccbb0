import { openJobStatuses, yieldingKinds } from '@vps/shared/jobs'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { isAmong } from '../db/words.js'
import { isMigrating } from './is-migrating.js'

/** Queued or running. */
export const isOpen = (job = 'jobs') => isAmong(`${job}.status`, openJobStatuses)

/** Whether it takes the place of every other act: open, and not of those that yield; a migration's backup does not. */
export const isBusy = (job = 'jobs') =>
  sql<SqlBool>`(${isOpen(job)} and (not ${isAmong(`${job}.kind`, yieldingKinds)} or ${isMigrating(`${job}.server_id`)}))`

const heldHost = (job: string) => sql`(select here.host_id from placements here
  where here.server_id = ${sql.ref(`${job}.server_id`)} and here.state = 'held')`

const isHere = (job: string, host: RawBuilder<unknown>) =>
  sql<SqlBool>`${sql.ref(`${job}.host_id`)} is not distinct from ${host}`

/**
 * Where its server has its place now, if anywhere. Elsewhere one cleans up what was left there: on a lost host for ever,
 * and nothing waits for that.
 */
export const isOpenHere = (job: string) => sql<SqlBool>`(${isOpen(job)} and ${isHere(job, heldHost(job))})`

/** The same of `isBusy`; `host` where the query has it. */
export const isBusyHere = (job: string, host: RawBuilder<unknown> = heldHost(job)) =>
  sql<SqlBool>`(${isBusy(job)} and ${isHere(job, host)})`

/** Whether a server has one of the first, or of the second. */
export const hasOpenHere = (server: string) => hasJob(server, isOpenHere('j'))
export const hasBusyHere = (server: string) => hasJob(server, isBusyHere('j'))

const hasJob = (server: string, is: RawBuilder<SqlBool>) =>
  sql<boolean>`exists (select from jobs j where j.server_id = ${sql.ref(server)} and ${is})`
