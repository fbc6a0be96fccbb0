import { auditFieldNames } from '@vps/shared/audit-fields'
import { actionNames } from '@vps/shared/audit-words'
import { siteAtFirst } from '@vps/shared/site'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'

const named = Object.keys({ ...auditFieldNames, ...siteAtFirst, before: '', after: '' })

/** What an operator would read by its name in the program, of all that was done in a test. */
export async function unnamedInAudit(owner: Db): Promise<string[]> {
  const { rows } = await sql<{ action: string; fields: string[] }>`
    select action, array_agg(distinct name order by name) as fields
    from audit_log cross join lateral (values (details), (details->'before'), (details->'after')) as part(fields)
      cross join lateral jsonb_object_keys(case jsonb_typeof(part.fields) when 'object' then part.fields end) as name
    where action = any(${Object.keys(actionNames)}) and name <> all(${named})
    group by action order by action`.execute(owner)
  return rows.map(({ action, fields }) => `${action}: ${fields.join(', ')}`)
}
