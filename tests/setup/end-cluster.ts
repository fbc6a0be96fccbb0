import fs from 'node:fs'
import type { Postgres } from '../../scripts/postgres.js'

/**
 * Throws where PostgreSQL ended a deadlock meanwhile: `inTx` tries again, so that its test passed, and the next may
 * not. No test makes one on purpose.
 */
export async function endCluster(postgres: Postgres): Promise<void> {
  const log = fs.readFileSync(postgres.logFile, 'utf8')
  await postgres.stop()
  const deadlocks = deadlocksIn(log)
  if (deadlocks.length === 0) return
  const error = new Error(`PostgreSQL ended ${deadlocks.length} deadlocks during these tests:\n${deadlocks.join('')}`)
  // `npm test` repeats the last lines.
  error.stack = error.message
  throw error
}

/** With who waited for whom, and by which statements. */
function deadlocksIn(log: string): string[] {
  return log.match(/^.*ERROR: {2}deadlock detected\n(?:\t.*\n|.*\] (?:DETAIL|HINT|CONTEXT|STATEMENT): .*\n)*/gm) ?? []
}
