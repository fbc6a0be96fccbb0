import type { Tx } from '../db/client.js'

/** A retired host keeps no pool or group from being deleted: nobody can take them from it. */
export async function leaveRetired(tx: Tx, which: { poolId: string } | { groupId: string }): Promise<void> {
  const retired = tx.selectFrom('hosts').select('id').where('status', '=', 'RETIRED')
  if ('poolId' in which)
    await tx.deleteFrom('host_ip_pools').where('pool_id', '=', which.poolId).where('host_id', 'in', retired).execute()
  else
    await tx.deleteFrom('host_groups').where('group_id', '=', which.groupId).where('host_id', 'in', retired).execute()
}
