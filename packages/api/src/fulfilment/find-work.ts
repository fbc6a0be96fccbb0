import type { claimInput } from '@vps/shared/agent.contract'
import { sql, type Expression, type SqlBool } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type * as z from 'zod'
import type { Db } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'
import { hashHostToken, hostsOfToken, type Host } from '../fleet/hosts.js'
import { dueJobs, heldJobs, type DueJob } from '../jobs/claim.js'
import { remoteConsolesWaiting } from '../remote/remote-consoles.js'
import { openRepositoryTests } from '../backups/repository-tests.js'
import { openConnectionTests } from '../servers/kvm/connection-tests.js'

type Asked = Pick<z.output<typeof claimInput>, 'instanceId' | 'freeLanes' | 'running'>
/**
 * `due`: its oldest due job with a free lane. `hasTests`: of connections or the repository. `hasHeld`: one given to an
 * earlier start of it.
 */
export type Found = Host & { due?: DueJob | null; hasTests: SqlBool; hasConsoles: SqlBool; hasHeld: SqlBool }

/**
 * Whose token it is and what can be handed out, in one statement: most find nothing. Null for an unknown or revoked
 * token. Locks nothing.
 */
export async function findWork(
  db: Db,
  token: string,
  { instanceId, freeLanes, running }: Asked,
): Promise<Found | null> {
  const hash = hashHostToken(token)
  const hasLanes = freeLanes > 0
  const [found] =
    running.length > 0
      ? await look(db, hash, hasLanes, { instanceId, ids: running.map(({ jobId }) => jobId) }).execute()
      : await (hasLanes ? idleLook : busyLook)(db, { hash })
  return found ?? null
}

const idleLook = statement((db, given: Given<{ hash: Buffer }>) => look(db, given('hash'), true))
const busyLook = statement((db, given: Given<{ hash: Buffer }>) => look(db, given('hash'), false))

type Held = { instanceId: string; ids: string[] }

function look(db: Db, hash: Buffer | Expression<Buffer>, hasLanes: boolean, held?: Held) {
  const host = sql.ref<string>('h.id')
  return hostsOfToken(db, hash)
    .select((eb) => [
      eb
        .or([
          eb.exists(openConnectionTests(db).where('c.host_id', '=', host)),
          eb.exists(openRepositoryTests(db).where('r.test_host_id', '=', host)),
        ])
        .as('hasTests'),
      eb.exists(remoteConsolesWaiting(db).where('r.host_id', '=', host)).as('hasConsoles'),
      (held ? eb.exists(heldJobs(db, held.instanceId, held.ids).where('j.host_id', '=', host)) : eb.lit(false)).as(
        'hasHeld',
      ),
    ])
    .$if(hasLanes, (query) => query.select(jsonObjectFrom(dueJobs(db).where('j.host_id', '=', host)).as('due')))
}
