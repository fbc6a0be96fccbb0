import type { claimInput } from '@vps/shared/agent.contract'
import { sql, type Expression, type SqlBool } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type * as z from 'zod'
import type { Db } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'
import { hashHostToken, hostsOfToken, type Host } from '../fleet/hosts.js'
import { dueJobs, heldJobs, unheardJobs, type DueJob } from '../jobs/claim.js'
import { remoteConsolesWaiting } from '../remote/remote-consoles.js'
import { openRepositoryTests } from '../backups/repository-tests.js'
import { openConnectionTests } from '../servers/kvm/connection-tests.js'

type Asked = Pick<z.output<typeof claimInput>, 'instanceId' | 'freeLanes' | 'running'>
/**
 * `due`: its oldest due job with a free lane. `hasTests`: of connections or the repository. `hasHeld`: one given to an
 * earlier start of it, or to this one unheard.
 */
export type Found = Host & { due?: DueJob | null; hasTests: SqlBool; hasConsoles: SqlBool; hasHeld: SqlBool }

/**
 * Whose token it is and what can be handed out, in one statement: most find nothing. Null for an unknown or revoked
 * token. Locks nothing.
 */
export async function findWork(db: Db, token: string, asked: Asked): Promise<Found | null> {
  const hash = hashHostToken(token)
  const [found] =
    asked.running.length > 0
      ? await look(db, hash, asked).execute()
      : await (asked.freeLanes > 0 ? idleLook : busyLook)(db, { hash, instanceId: asked.instanceId })
  return found ?? null
}

/** Of one that holds nothing. */
const idle = (freeLanes: number) =>
  statement((db, given: Given<{ hash: Buffer; instanceId: string }>) =>
    look(db, given('hash'), { instanceId: given('instanceId'), freeLanes, running: [] }),
  )
const idleLook = idle(1)
const busyLook = idle(0)

function look(
  db: Db,
  hash: Buffer | Expression<Buffer>,
  asked: Omit<Asked, 'instanceId'> & { instanceId: string | Expression<string> },
) {
  const { instanceId, running } = asked
  const hasLanes = asked.freeLanes > 0
  const host = sql.ref<string>('h.id')
  const jobIds = running.map(({ jobId }) => jobId)
  const held = heldJobs(db, instanceId, jobIds).where('j.host_id', '=', host)
  return hostsOfToken(db, hash)
    .select((eb) => [
      eb
        .or([
          eb.exists(openConnectionTests(db).where('c.host_id', '=', host)),
          eb.exists(openRepositoryTests(db).where('r.test_host_id', '=', host)),
        ])
        .as('hasTests'),
      eb.exists(remoteConsolesWaiting(db).where('r.host_id', '=', host)).as('hasConsoles'),
      eb
        .or([
          ...(running.length > 0 ? [eb.exists(held)] : []),
          ...(hasLanes ? [eb.exists(unheardJobs(db, host, instanceId, running))] : []),
        ])
        .as('hasHeld'),
    ])
    .$if(hasLanes, (query) => query.select(jsonObjectFrom(dueJobs(db).where('j.host_id', '=', host)).as('due')))
}
