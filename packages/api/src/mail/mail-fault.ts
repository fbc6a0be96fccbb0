import * as text from '@vps/shared/text'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'

/** As many of the newest as are looked through for one that was tried. */
const newest = 50

/** Why mails do not arrive: what became of the last that was tried; null where it went, or none was tried yet. */
export async function readMailFault(db: Db, isConfigured: boolean): Promise<string | null> {
  if (!isConfigured) return `${text.noMailServer}（环境变量 SMTP_URL），邮件不会发出`
  const { rows } = await sql<{ status: string; error: string | null }>`select status, error
    from (select status, error, tried_at from mails order by id desc limit ${newest}) few
    where status in ('sent', 'failed') order by tried_at desc limit 1`.execute(db)
  const [last] = rows
  return last?.status === 'failed' ? ['最近一封邮件未能送出', last.error].filter(Boolean).join('：') : null
}
