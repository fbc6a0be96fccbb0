import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { inTx } from '../../db/tx.js'
import type { Deps } from '../../deps.js'
import { testDedicatedServerOnce } from './test-dedicated.js'

const atOnce = 50
/** Under the minute after which states are old. */
const everySeconds = 45
const inDoubt = { everySeconds: 5, forSeconds: 180 }

/** For sale, a tenant's, or sold by hand and reached before: untried for 45 s, or in doubt after an act. For this process alone. */
export async function claimUntested(tx: Tx): Promise<string[]> {
  // A server before its dedicated row, as everywhere.
  const { rows } = await sql<{
    id: string
  }>`update dedicated_servers set test_begun_at = clock_timestamp() where server_id in (
      select s.id from dedicated_servers d join servers s on s.id = d.server_id where not d.needs_cleaning and s.secret_id is not null
        and (not d.is_sold or d.host_key is not null or s.order_id is not null)
        and (coalesce(greatest(s.ssh_checked_at, d.test_begun_at), '-infinity') < clock_timestamp() - make_interval(secs => ${everySeconds})
          or (s.power <> 'on' and coalesce(d.test_begun_at, '-infinity') < clock_timestamp() - make_interval(secs => ${inDoubt.everySeconds})
            and exists (select from jobs j where j.server_id = s.id and j.host_id is null and j.kind in ('restart', 'install', 'resetPassword')
              and j.finished_at > clock_timestamp() - make_interval(secs => ${inDoubt.forSeconds}))))
      order by s.ssh_checked_at nulls first limit ${atOnce} for update skip locked)
    returning server_id as id`.execute(tx)
  return rows.map((row) => row.id)
}

/** One that fails or says nothing holds up no other. Run every 5 s. */
export async function testDedicatedServers(deps: Deps): Promise<void> {
  const ids = await inTx(deps.db, claimUntested)
  await Promise.all(ids.map((id) => tryOne(deps, id)))
}

async function tryOne(deps: Deps, serverId: string): Promise<void> {
  if (deps.stopping.signal.aborted) return
  try {
    await testDedicatedServerOnce(deps, serverId)
  } catch (error) {
    deps.log.error({ err: error, serverId }, 'a dedicated server could not be asked')
  }
}
