import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inTx } from '../../packages/api/src/db/tx.js'
import { prepareHost } from '../../packages/api/src/fleet/hosts.js'
import type { TestApp } from '../../packages/api/src/testing/app.js'
import type { Shop } from '../../packages/api/src/testing/shop.js'

/** Waits for its agent, sells this shop's plan, has addresses on the bridge. */
export async function addRealHost(api: TestApp, { groupId }: Shop, enrolmentToken: string): Promise<void> {
  const now = api.deps.now()
  const poolId = randomUUID()
  await inTx(api.db, async (tx) => {
    const hostId = await prepareHost(tx, { name: 'kvm-1', enrolmentToken, validSeconds: 600 }, now)
    await tx.insertInto('host_groups').values({ host_id: hostId, group_id: groupId }).execute()
    const pool = { id: poolId, name: 'bridge', network: '10.77.0.0/24', gateway: '10.77.0.1', created_at: now }
    await tx.insertInto('ip_pools').values(pool).execute()
    await tx.insertInto('host_ip_pools').values({ host_id: hostId, pool_id: poolId }).execute()
    await sql`insert into addresses (pool_id, address) select ${poolId}, '10.77.0.10'::inet + n from generate_series(0, 9) n`.execute(
      tx,
    )
  })
}
