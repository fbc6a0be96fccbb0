import type { Db, Tx } from '@vps/api/db/client'
import { listMachines } from '@vps/api/fleet/placements'
import { createPastSamples } from '@vps/api/metrics/samples'
import { machineSamples } from './measurements.js'

/** In a new database all are of the first epoch. */
export async function installedMachines(db: Db) {
  const machines = await listMachines(db)
  return machines
    .filter(({ isInstalled }) => isInstalled)
    .map(({ generation, ...machine }) => ({ ...machine, generation: { epoch: 0, number: generation } }))
}

/** The past of a customer's running machines. */
export async function measureMachines(tx: Tx, userId: string, now: Date): Promise<void> {
  const running = await tx
    .selectFrom('servers')
    .select('id')
    .where('user_id', '=', userId)
    .where('driver', '=', 'kvm')
    .where('power', '=', 'on')
    .orderBy('created_at')
    .execute()
  for (const [n, { id }] of running.entries()) await createPastSamples(tx, id, machineSamples(now, n), now)
}
