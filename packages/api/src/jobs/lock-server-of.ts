import { ahead } from '../db/ahead.js'
import type { Tx } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'

/** With what is sent next: before a job that may tell something of its server, as by who replaces it (docs/money.md). */
export async function lockServerOfAhead(tx: Tx, jobId: string): Promise<void> {
  await ahead(tx, serverOf.query(tx, { jobId }))
}

const serverOf = statement((db, given: Given<{ jobId: string }>) =>
  db
    .selectFrom('servers')
    .select('id')
    .where('id', '=', ({ selectFrom }) => selectFrom('jobs').select('server_id').where('id', '=', given('jobId')))
    .forUpdate(),
)
