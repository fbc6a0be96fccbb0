import { sql, type RawBuilder } from 'kysely'

const mostLines = 50

/** Of a very long log the oldest line goes. Never a secret. */
export const withLine = (text: string) => appended(sql`${text.slice(0, 600)}::text`)

/** For a claim: the line names the try that begins. */
export const withAttempt = (what: string) => appended(sql`${'第 '} || (jobs.attempt + 1) || ${` 次尝试：${what}`}`)

const appended = (text: RawBuilder<unknown>) =>
  sql<string>`(case when jsonb_array_length(jobs.log) >= ${mostLines} then jobs.log - 0 else jobs.log end)
    || jsonb_build_array(jsonb_build_object('at', clock_timestamp(), 'text', ${text}))`
