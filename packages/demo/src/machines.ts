import type { Db } from '@vps/api/db/client'
import { listMachines } from '@vps/api/fleet/placements'

/** In a new database all are of the first epoch. */
export async function installedMachines(db: Db) {
  const machines = await listMachines(db)
  return machines
    .filter(({ isInstalled }) => isInstalled)
    .map(({ generation, ...machine }) => ({ ...machine, generation: { epoch: 0, number: generation } }))
}
