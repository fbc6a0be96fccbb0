import type { claimInput } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '../db/client.js'
import { hostsOfToken, type Host } from '../fleet/hosts.js'
import { dueJobs, heldJobs } from '../jobs/claim.js'
import { openConnectionTests } from '../servers/kvm/connection-tests.js'

/**
 * Whose token it is and whether anything is there to be handed out, in one statement: most of a fleet's looks find
 * nothing. Null for an unknown or revoked token. Locks nothing.
 */
export async function findWork(
  db: Db,
  token: string,
  { instanceId, freeLanes, running }: z.output<typeof claimInput>,
): Promise<(Host & { isDue: boolean }) | null> {
  const host = sql.ref<string>('h.id')
  const held = running.map(({ jobId }) => jobId)
  const row = await hostsOfToken(db, token)
    .select((eb) =>
      eb
        .or([
          eb.exists(openConnectionTests(db).where('c.host_id', '=', host)),
          ...(freeLanes > 0 ? [eb.exists(dueJobs(db).where('j.host_id', '=', host))] : []),
          ...(held.length > 0 ? [eb.exists(heldJobs(db, instanceId, held).where('j.host_id', '=', host))] : []),
        ])
        .as('isDue'),
    )
    .executeTakeFirst()
  return row ? { ...row, isDue: row.isDue === true } : null
}
